import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import type { ReactNode } from 'react';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';

/**
 * What a page that pays an invoice is about: number, period, amount.
 * @param props `subscription`: its plan and address, which a payer by link is not shown
 */
export function PaidInvoiceFacts(props: {
  reference: string;
  period?: { start: string; end: string } | undefined;
  amount: string;
  subscription?: { plan: string; address: ReactNode };
}) {
  const t = useText();
  const { date } = useFormat();
  const { reference, period, amount, subscription } = props;
  return (
    <SummaryList
      rows={[
        { term: t('billing.number'), value: reference },
        ...(subscription
          ? [
              { term: t('subscription.plan'), value: subscription.plan },
              { term: t('subscription.address'), value: subscription.address },
            ]
          : []),
        ...(period
          ? [{ term: t('billing.period'), value: `${date(period.start)} – ${date(period.end)}` }]
          : []),
        { term: t('billing.due'), value: amount, strong: true },
      ]}
    />
  );
}
