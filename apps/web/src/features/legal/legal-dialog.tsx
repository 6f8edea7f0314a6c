import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { safeHtml } from '@fixpoint/ui/lib/safe-html.ts';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { Prose } from '@fixpoint/ui/prose.tsx';
import { useState } from 'react';
import { useProfile } from '../../server/profile.ts';
import { type LegalDocument, useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** Terms or privacy policy, at most 776 px wide; a customer also reads the terms that they agreed to. */
export function LegalDialog(props: { document: LegalDocument; open: boolean; onClose: () => void }) {
  const t = useText();
  const [agreed, setAgreed] = useState<string>();
  const legal = useLegal(props.document, agreed);
  const version = useProfile().data?.termsVersion;
  const isOther = props.document === 'terms' && legal.data && version && legal.data.version !== version;
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={t(props.document === 'terms' ? 'footer.terms' : 'footer.privacy')}
      closeLabel={t('app.close')}
      maxWidth="776px"
    >
      {(isOther || agreed) && (
        <p>
          <button type="button" className="link" onClick={() => setAgreed(agreed ? undefined : version)}>
            {t(agreed ? 'legal.current' : 'legal.agreed')}
          </button>
        </p>
      )}
      {legal.error && <LoadError error={legal.error} onRetry={legal.refetch} />}
      {legal.data && <Prose>{safeHtml(legal.data.html)}</Prose>}
      {legal.isPending && <Loading label={t('app.loading')} />}
    </Dialog>
  );
}
