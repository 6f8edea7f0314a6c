import { MOST_DEVICES } from '@fixpoint/contract/fields.ts';
import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { AddForDialog } from './add-for-dialog.tsx';
import { DeviceNumberDialog } from './device-number-dialog.tsx';

type Allowance = Awaited<ReturnType<typeof api.team.allowances>>['people'][number];

const allowancesQuery = (subscriptionId: string) =>
  queryOptions({
    queryKey: ['subscription', subscriptionId, 'people'],
    queryFn: () => api.team.allowances({ query: { subscriptionId } }),
  });

/**
 * Who has devices of a subscription: how many a member may have, and a device for somebody, who gets its file by email. Nothing
 * for somebody who is alone.
 */
export function SubscriptionPeople({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const { id, keys, devices, allowedActions } = subscription;
  const { data } = useQuery(allowancesQuery(id));
  const [adding, setAdding] = useState<Allowance>();
  const [changing, setChanging] = useState<Allowance>();
  if (!data) return null;
  const mayAdd = allowedActions.includes('addKey') && keys.length < devices;
  return (
    <Section id="people" title={t('team.devices.title')} lead={t('team.devices.lead')}>
      <Stack gap={4}>
        <Table
          caption={t('team.devices.title')}
          hideCaption
          rowKey={({ userId }) => userId}
          rows={data.people}
          columns={[
            {
              key: 'person',
              phone: 'headline',
              header: t('team.person'),
              cell: ({ email, name, isYou }) => (
                <Cluster gap={2}>
                  <span translate="no">{name ?? email}</span>
                  {isYou && <Badge>{t('team.you')}</Badge>}
                </Cluster>
              ),
            },
            { key: 'role', header: t('team.role'), cell: ({ role }) => t(`team.role.${role}`) },
            {
              key: 'devices',
              header: t('devices.title'),
              cell: ({ keyCount, devices: most }) =>
                most === undefined
                  ? String(keyCount)
                  : t('subscription.keysOf', { count: keyCount, max: most }),
            },
            {
              key: 'actions',
              phone: 'unnamed',
              align: 'end',
              header: t('keys.actions'),
              cell: person => (
                <Cluster gap={2}>
                  {mayAdd && !person.isYou && (
                    <Button
                      size="s"
                      aria-label={t('team.devices.addFor', { email: person.email })}
                      onClick={() => setAdding(person)}
                    >
                      {t('devices.add')}
                    </Button>
                  )}
                  {person.role === 'member' && (
                    <Button
                      size="s"
                      aria-label={t('team.devices.change.label', { email: person.email })}
                      onClick={() => setChanging(person)}
                    >
                      {t('team.devices.change')}
                    </Button>
                  )}
                </Cluster>
              ),
            },
          ]}
        />
        <p className="muted">{t('team.devices.most', { max: MOST_DEVICES })}</p>
      </Stack>
      {adding && (
        <AddForDialog subscription={subscription} person={adding} onClose={() => setAdding(undefined)} />
      )}
      {changing && (
        <DeviceNumberDialog subscriptionId={id} person={changing} onClose={() => setChanging(undefined)} />
      )}
    </Section>
  );
}
