import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { part } from '../../lib/part.tsx';
import { useText } from '../../lib/texts.ts';

const AboutDialog = part(async () => (await import('./about-dialog.tsx')).AboutDialog);

/** Opens what the shop says about itself (spec section 2, "Footer"). */
export function AboutLink() {
  const t = useText();
  const { pathname } = useLocation();
  // The dialog belongs to the address that it was opened at: going back closes it.
  const [openAt, setOpenAt] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is the signal
  useEffect(() => setOpenAt(at => at && (at === window.location.hash ? at : '')), [pathname]);
  return (
    <>
      <button
        type="button"
        className="link"
        aria-haspopup="dialog"
        onClick={() => setOpenAt(window.location.hash)}
      >
        {t('footer.about')}
      </button>
      {openAt !== undefined && <AboutDialog open={openAt !== ''} onClose={() => setOpenAt('')} />}
    </>
  );
}
