import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { LegalDocument } from '../../lib/legal.ts';
import { part } from '../../lib/part.tsx';

const LegalDialog = part(async () => (await import('./legal-dialog.tsx')).LegalDialog);

/** Opens the terms or the privacy policy in a dialog (spec section 2, "Footer"). */
export function LegalLink({ document, children }: { document: LegalDocument; children: ReactNode }) {
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
        {children}
      </button>
      {openAt !== undefined && (
        <LegalDialog document={document} open={openAt !== ''} onClose={() => setOpenAt('')} />
      )}
    </>
  );
}
