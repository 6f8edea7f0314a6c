import { type ReactNode, useState } from 'react';
import type { LegalDocument } from '../../lib/legal.ts';
import { part } from '../../lib/part.tsx';

const LegalDialog = part(async () => (await import('./legal-dialog.tsx')).LegalDialog);

/** Opens the terms or the privacy policy in a dialog (spec section 2, "Footer"). */
export function LegalLink({ document, children }: { document: LegalDocument; children: ReactNode }) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setState('open')}>
        {children}
      </button>
      {state !== 'unused' && (
        <LegalDialog document={document} open={state === 'open'} onClose={() => setState('closed')} />
      )}
    </>
  );
}
