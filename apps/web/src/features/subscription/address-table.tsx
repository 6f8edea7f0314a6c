import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import type { AllowedAddress } from '../../shop/allow-list.ts';
import { useHref } from '../../shop/links.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import { useCopy } from './subscription-address.tsx';

/** Addresses with the subscription, the place, the devices and, where there are several, the people that they belong to. */
export function AddressTable({ items }: { items: readonly AllowedAddress[] }) {
  const t = useText();
  const href = useHref();
  return (
    <Table
      caption={t('allowList.title')}
      hideCaption
      rows={items}
      rowKey={({ subscriptionId }) => subscriptionId}
      columns={[
        {
          key: 'address',
          header: t('subscription.address'),
          phone: 'headline',
          cell: ({ address, ipv6 }) => (
            <Stack gap={1}>
              <CopyOne address={address} />
              {ipv6 && <CopyOne address={ipv6} />}
            </Stack>
          ),
        },
        {
          key: 'name',
          header: t('subscription.title'),
          cell: ({ subscriptionId, label, address }) => (
            <a href={href(`/management/subscription/${subscriptionId}`)} translate="no">
              {label ?? address}
            </a>
          ),
        },
        {
          key: 'place',
          header: t('subscription.region'),
          cell: ({ regionId, region }) => regionName({ id: regionId, name: region }),
        },
        {
          key: 'devices',
          header: t('devices.title'),
          cell: ({ devices }) => <span translate="no">{devices.join(', ') || '–'}</span>,
        },
        ...(items.some(({ people }) => people)
          ? [
              {
                key: 'people',
                header: t('team.devices.title'),
                cell: ({ people }: AllowedAddress) => <span translate="no">{people?.join(', ') || '–'}</span>,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Each button says whose it is. */
function CopyOne({ address }: { address: string }) {
  const copy = useCopy(address);
  return <Copyable {...copy} label={`${copy.label} ${address}`} />;
}
