import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { IconCopy, IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api } from '../../server/api.ts';
import { type AllowedAddress, asLines } from '../../shop/allow-list.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';

/** All addresses to paste into a firewall, or as a table. Without access to the clipboard they are saved as a file. */
export function AddressCopies({ items }: { items: readonly AllowedAddress[] }) {
  const t = useText();
  const copy = useAction(async () => {
    const lines = asLines(items);
    try {
      await navigator.clipboard.writeText(lines);
      snacks.show({ type: 'success', text: t('app.copied') });
    } catch {
      saveFile('addresses.txt', lines, 'text/plain');
    }
  });
  const csv = useAction(async () => {
    const file = await api.allowList.exportAddresses({});
    saveFile(file.fileName, file.csv, 'text/csv');
  });
  return (
    <Cluster>
      <Button icon={<IconCopy />} busy={copy.busy} onClick={() => copy.run()}>
        {t('allowList.copy')}
      </Button>
      <Button icon={<IconDownload />} busy={csv.busy} onClick={() => csv.run()}>
        {t('allowList.csv')}
      </Button>
    </Cluster>
  );
}
