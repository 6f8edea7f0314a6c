import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { AddressCopies } from '../../features/subscription/address-copies.tsx';
import { AddressTable } from '../../features/subscription/address-table.tsx';
import { AddressUrl } from '../../features/subscription/address-url.tsx';
import { useAllowList } from '../../shop/allow-list.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** All fixed IPs of the customer, to copy, and the URL from which firewalls read them. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = useAllowList();
  const items = data?.items ?? [];
  return (
    <Page>
      <Stack gap={12}>
        <Stack gap={2}>
          <BackLink href={href('/management/subscription')}>{t('subscription.all')}</BackLink>
          <Section level={1} title={t('allowList.title')} lead={t('allowList.lead')}>
            {error && <LoadError error={error} onRetry={refetch} />}
            {isPending && <Skeleton lines={6} label={t('app.loading')} />}
            {data && items.length === 0 && <p>{t('allowList.none')}</p>}
            {items.length > 0 && (
              <Stack gap={6}>
                <AddressCopies items={items} />
                <AddressTable items={items} />
              </Stack>
            )}
          </Section>
        </Stack>
        {data && <AddressUrl url={data.url} />}
      </Stack>
    </Page>
  );
}
