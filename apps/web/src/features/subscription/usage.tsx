import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const GB = 1_000_000_000;

/** This month's usage as a number. Nothing is throttled, so there is no bar with a limit. */
export function Usage({ subscription }: { subscription: SubscriptionItem }) {
  return <SummaryList compact flow="across" rows={[useUsage(subscription)]} />;
}

/** The usage as a row of facts, with the fair-use figure below it. */
export function useUsage({ usageBytes, dataTransferGb }: SubscriptionItem) {
  const t = useText();
  const { number } = useFormat();
  return {
    term: t('subscription.usage'),
    value: t('subscription.usage.text', { used: number(Math.round((usageBytes / GB) * 10) / 10) }),
    note: t('subscription.usage.guide', { total: number(dataTransferGb) }),
  };
}
