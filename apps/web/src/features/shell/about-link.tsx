import { useState } from 'react';
import { part } from '../../lib/part.tsx';
import { useText } from '../../lib/texts.ts';

const AboutDialog = part(async () => (await import('./about-dialog.tsx')).AboutDialog);

/** Opens what the shop says about itself (spec section 2, "Footer"). */
export function AboutLink() {
  const t = useText();
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setState('open')}>
        {t('footer.about')}
      </button>
      {state !== 'unused' && <AboutDialog open={state === 'open'} onClose={() => setState('closed')} />}
    </>
  );
}
