import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../lib/chunk.ts';
import { useText } from '../../lib/texts.ts';

const AboutDialog = lazy(async () => ({
  default: (await loadChunk(() => import('./about-dialog.tsx'))).AboutDialog,
}));

/** Opens what the shop says about itself (spec section 2, "Footer"). */
export function AboutLink() {
  const t = useText();
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setState('open')}>
        {t('footer.about')}
      </button>
      {state !== 'unused' && (
        <Suspense>
          <AboutDialog open={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
