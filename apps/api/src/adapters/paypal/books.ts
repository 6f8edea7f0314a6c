import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import { type ProviderBooks, type ProviderStatement, sumsOf } from '../../ports/provider-books.ts';
import { type PaypalClient, reach, unlessRefused } from './client.ts';
import { disputesSince } from './disputes.ts';
import { amountOf } from './money.ts';
import { refundOf } from './objects.ts';
import { allLines, isPayment } from './transactions.ts';

/** Event code of a refund that we requested. */
const REFUND = 'T1107';
/**
 * Event code of the fee for a dispute, charged some time after its decision and without a webhook
 * event.
 */
const DISPUTE_FEE = 'T0106';
/**
 * Event codes of money held, taken or returned for a dispute: part of the balance, but not of a
 * payment or refund.
 */
const DISPUTE = ['T1110', 'T1111', 'T1106', 'T1201', 'T1202', DISPUTE_FEE];

/** PayPal lists movements of the last three years and refuses older ranges. */
const REACH_MS = 3 * 365 * 86_400_000 - 7 * 86_400_000;

const balancesShape = z.object({
  balances: z.array(z.object({ currency: z.string(), total_balance: z.object({ value: z.string() }) })),
});

/**
 * PayPal's records from its Transaction Search, which lists a movement up to three hours late. The
 * app at PayPal needs that feature.
 */
export const createPaypalBooks = (client: PaypalClient): ProviderBooks => ({
  provider: 'paypal',
  methods: ['paypal'],
  reachMs: REACH_MS,

  async read(since) {
    const { asOf, lines } = await allLines(client, since);
    const disputed = await disputesSince(client, since);
    const payments: ProviderStatement['payments'][number][] = [];
    const refunds: ProviderStatement['refunds'][number][] = [];
    const disputes: ProviderStatement['disputes'][number][] = [];
    const outside: { currency: string; net: number }[] = [];
    for (const line of lines) {
      const { transactionId: ref, transactionAmount: money, transactionEventCode: code = '' } = line;
      if (!ref || !money) continue;
      const currency = money.currencyCode;
      const state = stateOf(line);
      if (isPayment(line)) {
        // A fully refunded payment is "reversed": its money had come, and its refund has its own
        // line.
        if (line.transactionStatus !== 'S' && line.transactionStatus !== 'V') continue;
        payments.push({
          ref,
          attemptId: line.customField,
          currency,
          received: amountOf(money),
          net: netOf(line),
        });
      } else if (code === REFUND) {
        const net = state === 'succeeded' ? netOf(line) : 0;
        refunds.push({ ref, refundId: line.customField, currency, amount: -amountOf(money), state, net });
      } else if (DISPUTE.includes(code)) {
        const of = line.paypalReferenceId ?? ref;
        disputes.push({ ref: of, currency, net: netOf(line) });
        if (code === DISPUTE_FEE) disputed.push(of);
      } else if (state === 'succeeded') {
        outside.push({ currency, net: netOf(line) });
      }
    }
    return {
      asOf,
      payments,
      refunds,
      disputed,
      disputes,
      balances: sumsOf([...payments, ...refunds, ...disputes]),
      outside: sumsOf(outside),
    };
  },

  async refund(ref) {
    const refund = await unlessRefused(reach(client.payments.getRefund({ refundId: ref })), 400, 404, 422);
    if (refund === 'unknown' || !refund.amount) return undefined;
    // The refunded payment is the last segment of a link.
    const paymentRef =
      refund.links
        ?.find(({ rel }) => rel === 'up')
        ?.href.split('/')
        .at(-1) ?? '';
    const { amount } = refund;
    return {
      paymentRef,
      currency: amount.currencyCode,
      amount: amountOf(amount),
      state: refundOf(refund).state,
    };
  },

  async reportedBalance() {
    const said = await unlessRefused(client.get(balancesShape, 'v1/reporting/balances'), 403);
    if (said === 'unknown') return undefined;
    return Object.fromEntries(
      said.balances.map(({ currency, total_balance: { value } }) => [
        currency,
        amountOf({ currencyCode: currency, value }),
      ]),
    );
  },
});

const stateOf = ({ transactionStatus }: TransactionInformation): ReportedRefundState =>
  transactionStatus === 'S' ? 'succeeded' : transactionStatus === 'P' ? 'pending' : 'failed';

/** Fees are negative. */
const netOf = ({ transactionAmount, feeAmount }: TransactionInformation): number =>
  (transactionAmount ? amountOf(transactionAmount) : 0) + (feeAmount ? amountOf(feeAmount) : 0);
