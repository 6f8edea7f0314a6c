import { link, type StateTable } from '../state-page.ts';
import { btcpayLedger } from './ledger.ts';
import type { BtcpayState } from './state.ts';

/** BTCPay's records as tables; amounts in the smallest unit. */
export function btcpayTables(state: BtcpayState): StateTable[] {
  const { invoices, refunds } = btcpayLedger(state);
  return [
    {
      title: 'Invoices',
      heads: ['Invoice', 'State', 'Price', 'Arrived', 'On its way', 'Shop’s id'],
      named: true,
      rows: invoices.map(one => [
        link(`/i/${one.invoice}`, one.invoice),
        one.status,
        `${one.currency} ${one.price}`,
        one.settled,
        one.pending,
        String(one.metadata.attemptId ?? ''),
      ]),
    },
    {
      title: 'Refunds',
      heads: ['Pull payment', 'Invoice', 'Amount', 'Paid', 'State', 'Shop’s id'],
      named: true,
      rows: refunds.map(one => [
        link(`/pull-payments/${one.pullPayment}`, one.pullPayment),
        one.invoice,
        `${one.currency} ${one.amount}`,
        one.paid,
        one.archived ? 'archived' : 'live',
        // Stands in the name, which the receiver sees too.
        /\b(ref_\w+)$/.exec(one.name)?.[1] ?? one.name,
      ]),
    },
  ];
}
