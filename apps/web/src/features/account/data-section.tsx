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

/** Exports all data that is stored about the user, and about the customer that they founded, as a file. */
export function DataSection() {
  const t = useText();
  return (
    <Export
      id="data"
      title={t('account.data.title')}
      lead={t('account.data.lead')}
      action={t('account.data.action')}
      read={() => api.account.exportData({})}
    />
  );
}

/** Exports what is stored about a customer that somebody else founded, for an owner. */
export function AccountDataSection() {
  const t = useText();
  return (
    <Export
      id="account-data"
      title={t('team.data.title')}
      lead={t('team.data.lead')}
      action={t('team.data.action')}
      read={() => api.account.exportAccount({})}
    />
  );
}

function Export(props: {
  id: string;
  title: string;
  lead: string;
  action: string;
  read: () => Promise<{ exportedAt: string }>;
}) {
  const t = useText();
  const { id, title, lead, action, read } = props;
  const fetchData = useAction(async () => {
    const data = await read();
    const file = `${config().BRAND_NAME}-${data.exportedAt.slice(0, 10)}.json`;
    saveFile(file, `${JSON.stringify(data, null, 2)}\n`, 'application/json');
    snacks.show({ type: 'success', text: t('keys.downloaded', { file }) });
  });
  return (
    <Section id={id} title={title} lead={lead}>
      <Problem error={fetchData.error} />
      <p>
        <Button icon={<IconDownload />} busy={fetchData.busy} onClick={() => fetchData.run()}>
          {action}
        </Button>
      </p>
    </Section>
  );
}
