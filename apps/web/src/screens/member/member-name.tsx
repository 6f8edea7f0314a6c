import { StatusLabel } from '@fixpoint/ui/status.tsx';
import type { useMemberSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

export type MemberItem = NonNullable<ReturnType<typeof useMemberSubscriptions>['data']>['items'][number];

const tones = { provisioning: 'info', active: 'good', expired: 'idle' } as const;

/** The label of a subscription, else its address, else its place. */
export function MemberName({ subscription }: { subscription: MemberItem }) {
  const { label, address, region } = subscription;
  return <span translate="no">{label ?? address ?? region}</span>;
}

/** State of a subscription as text, colour and icon. Whether it is paid is not a member's business. */
export function MemberStatus({ subscription: { status, suspended } }: { subscription: MemberItem }) {
  const t = useText();
  if (suspended) return <StatusLabel tone="bad">{t('subscription.status.suspended')}</StatusLabel>;
  return <StatusLabel tone={tones[status]}>{t(`subscription.status.${status}`)}</StatusLabel>;
}
