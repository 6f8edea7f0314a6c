import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import type { ReactNode } from 'react';
import { useOpenedHere } from '../../routing/opened-here.ts';
import type { LegalDocument } from '../../shop/legal.ts';

const LegalDialog = lazyPart(async () => (await import('./legal-dialog.tsx')).LegalDialog);

/** Opens the terms or the privacy policy in a dialog. */
export function LegalLink({ document, children }: { document: LegalDocument; children: ReactNode }) {
  const dialog = useOpenedHere();
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={dialog.show}>
        {children}
      </button>
      {dialog.used && <LegalDialog document={document} open={dialog.open} onClose={dialog.close} />}
    </>
  );
}
