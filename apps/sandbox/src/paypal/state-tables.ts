import { link, type StateTable } from '../state-page.ts';
import { paypalLedger } from './ledger.ts';
import type { PaypalState } from './state.ts';

/** PayPal's records as tables. */
export function paypalTables(state: PaypalState): StateTable[] {
  const { orders, captures, refunds, balances, tokens } = paypalLedger(state);
  const money = (one: { currency: string; amount: string }) => `${one.currency} ${one.amount}`;
  return [
    {
      title: 'Orders',
      heads: ['Order', 'State', 'Amount', 'Shop’s id'],
      named: true,
      rows: orders.map(one => [
        // A payment with a saved account has no page.
        state.approvals.get(one.order) ? link(`/checkoutnow?token=${one.order}`, one.order) : one.order,
        one.status,
        money(one),
        one.customId ?? '',
      ]),
    },
    {
      title: 'Payments',
      heads: ['Payment', 'Order', 'State', 'Amount', 'Fee'],
      rows: captures.map(one => [one.capture, one.order, one.status, money(one), one.fee ?? '']),
    },
    {
      title: 'Refunds',
      heads: ['Refund', 'Order', 'State', 'Amount', 'Shop’s id'],
      named: true,
      rows: refunds.map(one => [one.refund, one.order, one.status, money(one), one.customId ?? '']),
    },
    {
      title: 'Disputes',
      heads: ['Dispute', 'State', 'Reason', 'Amount', 'Outcome'],
      rows: state.disputes
        .all()
        .map(({ dispute_id, status, reason, dispute_amount: { currency_code, value }, dispute_outcome }) => [
          dispute_id,
          status,
          reason,
          `${currency_code} ${value}`,
          dispute_outcome?.outcome_code ?? '',
        ]),
    },
    {
      title: 'Balance',
      heads: ['Currency', 'In and out', 'Fees', 'Left, in the smallest unit'],
      rows: Object.entries(balances).map(([currency, { gross, fees, net }]) => [currency, gross, fees, net]),
    },
    { title: 'Saved accounts', heads: ['Token'], rows: tokens.map(token => [token]) },
  ];
}
