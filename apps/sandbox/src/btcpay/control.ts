import { z } from 'zod';
import { missing } from '../control/missing.ts';
import type { Post } from '../control/post.ts';
import { accountOf } from './account.ts';
import { movePayments, receive, watch } from './invoices.ts';
import { bitcoinAmount, moneyAmount } from './params.ts';
import { archive, claim, settlePayouts } from './pull-payments.ts';
import { changeRights } from './rights.ts';
import type { BtcpayState, Invoice, Payment } from './state.ts';

const ofInvoice = z.object({ invoice: z.string() });
const ofPayment = z.strictObject({ invoice: z.string(), payment: z.string().optional() });

/**
 * Controls of BTCPay for tests: the buyer's wallet, the miners, the rates, the operator who pays
 * refunds.
 */
export function btcpayControl(state: BtcpayState, post: Post): void {
  /** Finds an invoice by its id or address. */
  const invoiceOf = ({ invoice }: { invoice: string }): Invoice =>
    state.invoices.get(invoice) ??
    state.invoices.all().find(({ address }) => address === invoice) ??
    missing('invoice', invoice);
  const pullOf = ({ pullPayment }: { pullPayment: string }) =>
    state.pullPayments.get(pullPayment) ?? missing('pull payment', pullPayment);

  post(
    'btcpay/pay',
    ofInvoice.extend({ amount: bitcoinAmount.optional(), share: z.number().positive().optional() }).strict(),
    given => {
      const invoice = invoiceOf(given);
      const { wanted, due } = accountOf(invoice);
      const satoshi = given.amount ?? Math.round((given.share ?? 1) * (due > 0 ? due : wanted));
      return receive(state, invoice, satoshi);
    },
  );
  const move = (path: string, status: Payment['status'], from: Payment['status']) =>
    post(`btcpay/${path}`, ofPayment, given =>
      movePayments(
        state,
        invoiceOf(given),
        status,
        ({ id, status: now }) => now === from && (given.payment === undefined || id === given.payment),
      ),
    );
  move('confirm', 'Settled', 'Processing');
  move('doubleSpend', 'Invalid', 'Processing');
  // A longer chain removes a block and its confirmations, or has spent the same coins elsewhere.
  post('btcpay/reorganise', ofPayment.extend({ replaced: z.boolean().default(false) }), given =>
    movePayments(
      state,
      invoiceOf(given),
      given.replaced ? 'Invalid' : 'Processing',
      ({ id, status }) =>
        (status === 'Settled' || given.replaced) && (given.payment === undefined || id === given.payment),
    ),
  );
  post('btcpay/expire', ofInvoice.strict(), given => {
    const invoice = invoiceOf(given);
    watch(state, state.invoices.put(invoice.id, { ...invoice, expiresAt: state.clock.seconds() }));
  });
  post('btcpay/rate', z.strictObject({ currency: z.string(), rate: moneyAmount }), ({ currency, rate }) =>
    state.rates.put(currency, rate),
  );
  post('btcpay/rights', z.strictObject({ rights: z.array(z.string()) }), ({ rights }) => {
    changeRights(state, rights);
  });
  post('btcpay/claim', z.strictObject({ pullPayment: z.string(), destination: z.string() }), given =>
    claim(state, pullOf(given), given.destination),
  );
  post('btcpay/archive', z.strictObject({ pullPayment: z.string() }), given => archive(state, pullOf(given)));
  post(
    'btcpay/payouts/settle',
    z.strictObject({ pullPayment: z.string(), outcome: z.enum(['Completed', 'Cancelled']) }),
    given => settlePayouts(state, pullOf(given), given.outcome),
  );
}
