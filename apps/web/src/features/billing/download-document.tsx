import { Button, IconButton } from '@fixpoint/ui/button.tsx';
import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';

type Kind = 'invoice' | 'receipt' | 'creditNote' | 'replacement';

/** Downloads a document as a PDF. `small`: an icon button for lists. */
export function DownloadDocument(props: { id: string; kind: Kind; number: string; small?: boolean }) {
  const t = useText();
  const { id, kind, number, small } = props;
  const { run, busy } = useAction(async () => {
    const { fileName, pdf } = await api.billing.getDocument({ params: { id } });
    saveFile(
      fileName,
      Uint8Array.from(atob(pdf), sign => sign.charCodeAt(0)),
      'application/pdf',
    );
  });
  const label = t(`billing.pdf.${kind}`, { number });
  const of = { icon: <IconDownload />, busy, onClick: () => run() };
  if (small) return <IconButton size="s" label={label} {...of} />;
  return <Button {...of}>{label}</Button>;
}
