import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { type SubscriptionItem, subscriptionName, subscriptionRegion } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { useCopy } from './subscription-address.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';

/** Many subscriptions, one row each; two lines each on a phone. */
export function SubscriptionTable(props: { subscriptions: readonly SubscriptionItem[]; busy: boolean }) {
  const t = useText();
  const href = useHref();
  return (
    <Table
      caption={t('subscriptions.title')}
      hideCaption
      dense
      busy={props.busy}
      rows={props.subscriptions}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'name',
          header: t('keys.name'),
          phone: 'line1',
          cell: one => (
            <a href={href(`/management/subscription/${one.id}`)}>
              <strong translate="no">{subscriptionName(one)}</strong>
            </a>
          ),
        },
        {
          key: 'address',
          header: t('subscription.address'),
          phone: 'line2',
          cell: one => <Address subscription={one} />,
        },
        { key: 'place', header: t('subscription.region'), phone: 'line2', cell: subscriptionRegion },
        {
          key: 'plan',
          header: t('subscription.plan'),
          phone: 'line2',
          cell: ({ planId }) => planName(planId),
        },
        {
          key: 'devices',
          header: t('devices.title'),
          align: 'end',
          cell: ({ keyCount, devices }) => t('subscription.keysOf', { count: keyCount, max: devices }),
        },
        {
          key: 'status',
          header: t('billing.status'),
          phone: 'line1End',
          cell: one => <SubscriptionStatus subscription={one} />,
        },
        {
          key: 'next',
          header: t('payment.next'),
          phone: 'line2End',
          cell: one => <NextPayment subscription={one} />,
        },
      ]}
    />
  );
}

/** With its button; the button alone where the address is the name. Each button says whose it is. */
function Address({ subscription: { address, label } }: { subscription: SubscriptionItem }) {
  const copy = useCopy(address ?? '');
  if (!address) return <span>–</span>;
  return <Copyable {...copy} label={`${copy.label} ${label ?? address}`} buttonOnly={!label} />;
}

/** Amount and day of the next payment, or the day on which a subscription ends. */
function NextPayment({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const { money, shortDate } = useFormat();
  const { status, cancelAtPeriodEnd, suspended, endedAt, periodEnd, openInvoice, billedAt, renewal } =
    subscription;
  const end = endedAt ?? periodEnd;
  if (end && (status === 'expired' || cancelAtPeriodEnd || suspended))
    return <span className="muted">{`${t('subscription.ends')} ${shortDate(end)}`}</span>;
  const next = openInvoice && !openInvoice.onItsWay ? openInvoice : undefined;
  const amount = next ? money(next.amount, next.currency) : money(renewal.price, renewal.currency);
  const at = next?.until ?? billedAt;
  return <span className="tabular">{at ? `${amount} · ${shortDate(at)}` : '–'}</span>;
}
