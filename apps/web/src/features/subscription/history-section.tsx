import { useFormat } from '../../shop/format.ts';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Section } from '../../ui/layout.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';

/** What happened to a subscription, newest first, in plain words. */
export function HistorySection({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const { dateTime } = useFormat();
  const { history, orderedAt } = subscription;
  const rows = history.map(({ at, event }) => ({ term: dateTime(at), value: t(`history.${event}`) }));
  return (
    <Section title={t('history.title')}>
      <SummaryList compact rows={[...rows, { term: dateTime(orderedAt), value: t('history.order') }]} />
    </Section>
  );
}
