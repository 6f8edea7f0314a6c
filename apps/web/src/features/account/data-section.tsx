import { Button } from '@fixpoint/ui/button.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api } from '../../server/api.ts';
import { config } from '../../server/config.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';

/** Exports all data that is stored about the customer, as a file. */
export function DataSection() {
  const t = useText();
  const fetchData = useAction(async () => {
    const data = await api.account.exportData({});
    const file = `${config().BRAND_NAME}-${data.exportedAt.slice(0, 10)}.json`;
    saveFile(file, `${JSON.stringify(data, null, 2)}\n`, 'application/json');
    snacks.show({ type: 'success', text: t('keys.downloaded', { file }) });
  });
  return (
    <Section id="data" title={t('account.data.title')} lead={t('account.data.lead')}>
      <Problem error={fetchData.error} />
      <p>
        <Button icon={<IconDownload />} busy={fetchData.busy} onClick={() => fetchData.run()}>
          {t('account.data.action')}
        </Button>
      </p>
    </Section>
  );
}
