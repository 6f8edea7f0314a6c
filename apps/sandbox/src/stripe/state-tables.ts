import { qrCode } from '../browser/pages.ts';
import { ledger } from '../control/ledger.ts';
import { link, type StateTable } from '../state-page.ts';
import type { StripeState } from './state.ts';

/** Stripe's records as tables; amounts in the smallest unit. */
export function stripeTables(state: StripeState): StateTable[] {
  const { payments, refunds, disputes, balances } = ledger(state);
  const money = (one: { currency: string; amount: number }) => `${one.currency.toUpperCase()} ${one.amount}`;
  return [
    {
      title: 'Payments',
      heads: ['Payment', 'State', 'Amount', 'Received', 'Shop’s id'],
      named: true,
      rows: payments.map(one => [
        // A code can be scanned as long as it is shown.
        qrCode(state, one.payment_intent)
          ? link(`/promptpay/${one.payment_intent}`, one.payment_intent)
          : one.payment_intent,
        one.status,
        money(one),
        one.received,
        one.metadata.attempt_id ?? '',
      ]),
    },
    {
      title: 'Refunds',
      heads: ['Refund', 'Payment', 'State', 'Amount', 'Shop’s id'],
      named: true,
      rows: refunds.map(one => [
        one.refund,
        one.payment_intent ?? one.charge,
        one.status,
        money(one),
        one.metadata.refund_id ?? '',
      ]),
    },
    {
      title: 'Disputes',
      heads: ['Dispute', 'Payment', 'State', 'Reason', 'Amount', 'Held', 'Fee'],
      rows: disputes.map(one => [
        one.dispute,
        one.payment_intent ?? one.charge,
        one.status,
        one.reason,
        money(one),
        one.withdrawn,
        one.fee,
      ]),
    },
    {
      title: 'Balance',
      heads: [
        'Currency',
        'Payments',
        'Refunds',
        'Disputes',
        'Payouts',
        'Adjustments',
        'Fees',
        'Left, in the smallest unit',
      ],
      rows: Object.entries(balances).map(([currency, sum]) => [
        currency.toUpperCase(),
        sum.charges,
        sum.refunds,
        sum.disputes,
        sum.payouts,
        sum.adjustments,
        sum.fees,
        sum.net,
      ]),
    },
  ];
}
