import { useState } from 'react';
import { useText } from '../../lib/texts.ts';
import { AboutDialog } from './about-dialog.tsx';

/** Opens what the shop says about itself (spec section 2, "Footer"). */
export function AboutLink() {
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('footer.about')}
      </button>
      <AboutDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}
