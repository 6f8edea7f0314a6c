import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const GB = 1_000_000_000;

/** This month's usage as a number; nothing is cut off, so no bar fills up to a cap. */
export function Usage({ subscription }: { subscription: SubscriptionItem }) {
  return <SummaryList compact flow="across" rows={[useUsage(subscription)]} />;
}

/** The same as one fact among others, with the fair-use figure small below it. */
export function useUsage({ usageBytes, dataTransferGb }: SubscriptionItem) {
  const t = useText();
  const { number } = useFormat();
  return {
    term: t('subscription.usage'),
    value: t('subscription.usage.text', { used: number(Math.round((usageBytes / GB) * 10) / 10) }),
    note: t('subscription.usage.guide', { total: number(dataTransferGb) }),
  };
}
