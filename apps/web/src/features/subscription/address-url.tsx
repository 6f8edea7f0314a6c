import { Button } from '@fixpoint/ui/button.tsx';
import { CommandLine } from '@fixpoint/ui/command-line.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api } from '../../server/api.ts';
import { type AllowList, allowListUrl, refreshAllowList } from '../../shop/allow-list.ts';
import { ConfirmButton } from '../../shop/confirm-button.tsx';
import { useText } from '../../shop/texts.ts';

/** Creates, shows, replaces and turns off the URL from which firewalls read the addresses. */
export function AddressUrl({ url }: { url: AllowList['url'] }) {
  const t = useText();
  const create = useAction(async () => {
    await api.allowList.setUrl({ body: { on: true } });
    await refreshAllowList();
  });
  const remove = useAction(async () => {
    await api.allowList.setUrl({ body: { on: false } });
    await refreshAllowList();
  });
  return (
    <Section title={t('allowList.url.title')} lead={t('allowList.url.lead')}>
      {url ? (
        <Stack gap={6}>
          <Url label={t('allowList.url.text')} value={allowListUrl(url.path, 'txt')} />
          <Url label={t('allowList.url.json')} value={allowListUrl(url.path, 'json')} />
          <Cluster>
            <ConfirmButton
              label={t('allowList.url.replace')}
              title={t('allowList.url.replace.title')}
              busy={create.busy}
              onConfirm={() => create.run()}
            >
              {t('allowList.url.replace.text')}
            </ConfirmButton>
            <ConfirmButton
              label={t('allowList.url.off')}
              title={t('allowList.url.off.title')}
              busy={remove.busy}
              onConfirm={() => remove.run()}
            >
              {t('allowList.url.off.text')}
            </ConfirmButton>
          </Cluster>
        </Stack>
      ) : (
        <p>
          <Button busy={create.busy} onClick={() => create.run()}>
            {t('allowList.url.create')}
          </Button>
        </p>
      )}
    </Section>
  );
}

function Url({ label, value }: { label: string; value: string }) {
  const t = useText();
  return (
    <Stack gap={1}>
      <p>{label}</p>
      <CommandLine label={label} copyLabel={t('app.copy')} copiedLabel={t('app.copied')}>
        {value}
      </CommandLine>
    </Stack>
  );
}
