import { Alert } from '@fixpoint/ui/alert.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { useRef, useState } from 'react';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { deviceName, type SubscriptionKey, type WithDevices } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { AddDevice } from './add-device.tsx';
import { DeleteKey } from './delete-key.tsx';
import { KeyActions } from './key-actions.tsx';
import { useDeviceSheet } from './use-device-sheet.tsx';

const ID = 'keys';
const rowOf = (key: string): string => `device-${key}`;

/**
 * Keys of a subscription, one for each device, up to the plan's limit. Where several people have devices, a column names whose
 * each is; only its user gets its file.
 * @param props.full what to do when there can be no more, instead of the advice for who pays
 */
export function KeySection({ subscription, full }: { subscription: WithDevices; full?: string }) {
  const t = useText();
  const href = useHref();
  const { shortDate } = useFormat();
  const { id, keys, ending, devices, status } = subscription;
  const mayAdd = subscription.allowedActions.includes('addKey');
  // The form that opened the dialog is gone once the last device is added.
  const added = useRef<string>(undefined);
  const { setUp, sheet } = useDeviceSheet(id, key =>
    key.id === added.current ? document.getElementById(rowOf(key.id)) : null,
  );
  const [asked, setAsked] = useState<SubscriptionKey>();
  const [asking, setAsking] = useState(false);
  const ask = (key: SubscriptionKey) => {
    setAsked(key);
    setAsking(true);
  };
  return (
    <Section id={ID} title={t('devices.title')} lead={t('keys.lead', { count: keys.length, max: devices })}>
      <Stack gap={6}>
        <Table
          caption={t('devices.title')}
          hideCaption
          columns={[
            { key: 'name', header: t('keys.name'), phone: 'headline', cell: deviceName },
            ...(keys.some(({ user }) => user)
              ? [
                  {
                    key: 'user',
                    header: t('team.person'),
                    cell: ({ user }: SubscriptionKey) =>
                      user ? <span translate="no">{user.name ?? user.email}</span> : t('team.you'),
                  },
                ]
              : []),
            {
              key: 'device',
              header: t('devices.kind'),
              cell: key => (key.device ? t(`guide.device.${key.device}`) : '–'),
            },
            { key: 'created', header: t('keys.created'), cell: key => shortDate(key.createdAt) },
            {
              key: 'valid',
              header: t('keys.validUntil'),
              cell: key => (
                <>
                  {key.validUntil ? <span>{shortDate(key.validUntil)}</span> : <NoFile />}
                  {key.settingUp && <p className="muted">{t('keys.settingUp')}</p>}
                  {key.outdated && <p className="muted">{t('keys.outdated')}</p>}
                </>
              ),
            },
            {
              key: 'actions',
              header: t('keys.actions'),
              phone: 'unnamed',
              cell: key => (
                <KeyActions
                  subscriptionId={id}
                  of={key}
                  onSetUp={() => {
                    added.current = undefined;
                    setUp(key);
                  }}
                  onDelete={() => ask(key)}
                />
              ),
            },
          ]}
          rows={keys}
          rowKey={key => key.id}
          rowId={({ id: key }) => rowOf(key)}
          empty={
            <p>
              <strong>{t('keys.empty.title')}</strong>
              {mayAdd && (
                <>
                  <br />
                  <span>{t('keys.empty.text')}</span>
                </>
              )}
            </p>
          }
        />
        {ending.length > 0 && (
          <Alert type="warning">{t('keys.ending', { devices: ending.map(deviceName).join(', ') })}</Alert>
        )}
        {keys.length > 0 && <p className="muted">{t('keys.download.note')}</p>}
        {mayAdd && keys.length < devices && (
          <Section level={3} title={t('devices.add')}>
            <AddDevice
              subscription={subscription}
              onAdded={key => {
                added.current = key.id;
                setUp(key);
              }}
            />
          </Section>
        )}
        {mayAdd && keys.length >= devices && (
          <Alert
            type="info"
            title={t('keys.full.title')}
            action={
              subscription.allowedActions.includes('upgrade') && (
                <a href={href(`/management/subscription/${id}/upgrade`)}>{t('keys.full.larger')}</a>
              )
            }
          >
            {full ?? t('keys.full.text', { max: devices })}
          </Alert>
        )}
        {sheet}
        {asked && (
          <DeleteKey
            key={asked.id}
            subscriptionId={id}
            of={asked}
            open={asking}
            onClose={() => setAsking(false)}
            listId={ID}
          />
        )}
        {status === 'provisioning' && <p className="muted">{t('keys.notYet')}</p>}
      </Stack>
    </Section>
  );
}

function NoFile() {
  const t = useText();
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('keys.noFile')}</span>
    </>
  );
}
