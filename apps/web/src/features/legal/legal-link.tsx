import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadChunk } from '../../lib/chunk.ts';
import type { LegalDocument } from '../../lib/legal.ts';

const LegalDialog = lazy(async () => ({
  default: (await loadChunk(() => import('./legal-dialog.tsx'))).LegalDialog,
}));

/** Opens the terms or the privacy policy in a dialog (spec section 2, "Footer"). */
export function LegalLink({ document, children }: { document: LegalDocument; children: ReactNode }) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setState('open')}>
        {children}
      </button>
      {state !== 'unused' && (
        <Suspense>
          <LegalDialog document={document} open={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
