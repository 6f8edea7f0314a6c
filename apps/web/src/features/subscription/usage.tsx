import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Meter } from '../../ui/meter.tsx';

const GB = 1_000_000_000;

/** This month's usage against the fair-use figure of the plan. */
export function Usage({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const { number } = useFormat();
  const used = Math.round((subscription.usageBytes / GB) * 10) / 10;
  return (
    <Meter
      label={t('subscription.usage')}
      value={used}
      max={subscription.dataTransferGb}
      text={t('subscription.usage.text', { used: number(used), total: number(subscription.dataTransferGb) })}
    />
  );
}
