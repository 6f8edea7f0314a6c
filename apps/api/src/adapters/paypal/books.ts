import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { type ProviderBooks, type ProviderStatement, sumsOf } from '../../ports/provider-books.ts';
import { type PaypalClient, reach } from './client.ts';
import { amountOf } from './money.ts';

const DAY_MS = 86_400_000;
/** PayPal answers for at most 31 days at once. */
const SPAN_MS = 30 * DAY_MS;
const PAGE = 500;

/** What PayPal calls a payment of any kind, and a refund that we asked for. */
const PAYMENT = /^T00/;
const REFUND = 'T1107';
/** What is held back or taken for a dispute, and given back: no payment's or refund's own, and part of the balance. */
const DISPUTE = ['T1110', 'T1111', 'T1106', 'T1201', 'T1202'];

/**
 * What PayPal says of our money, by its Transaction Search, which lists a movement up to three hours late. The account
 * must be allowed to use it, which is a setting of the app at PayPal.
 */
export const createPaypalBooks = (client: PaypalClient): ProviderBooks => ({
  provider: 'paypal',
  methods: ['paypal'],

  async read(since) {
    const { asOf, lines } = await allLines(client, since);
    const payments: ProviderStatement['payments'][number][] = [];
    const refunds: ProviderStatement['refunds'][number][] = [];
    const disputes: ProviderStatement['disputes'][number][] = [];
    for (const line of lines) {
      const { transactionId: ref, transactionAmount: money, transactionEventCode: code = '' } = line;
      if (!ref || !money) continue;
      const currency = money.currencyCode;
      const state = stateOf(line);
      if (PAYMENT.test(code) && amountOf(money) > 0) {
        // One that went back altogether is "reversed": its money had come, and its refund has a line of its own.
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
        disputes.push({ ref: line.paypalReferenceId ?? ref, currency, net: netOf(line) });
      }
    }
    return { asOf, payments, refunds, disputes, balances: sumsOf([...payments, ...refunds, ...disputes]) };
  },
});

/** All lines since then, over all spans and pages, and up to when PayPal knows them. */
async function allLines(
  { search, settings }: PaypalClient,
  since: Date,
): Promise<{ asOf: Date; lines: TransactionInformation[] }> {
  const until = settings.clock.now().getTime();
  // A span includes both of its ends: what moved in the moment where two meet is in both.
  const lines = new Map<string, TransactionInformation>();
  let asOf = until;
  for (let start = since.getTime(); start < until; start += SPAN_MS) {
    const [startDate, endDate] = [start, Math.min(start + SPAN_MS, until)].map(ms =>
      new Date(ms).toISOString(),
    );
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const asked = {
        startDate: startDate!,
        endDate: endDate!,
        fields: 'transaction_info',
        pageSize: PAGE,
        page,
      };
      const said = await reach(search.searchTransactions(asked));
      pages = said.totalPages ?? 1;
      if (said.lastRefreshedDatetime) asOf = Math.min(asOf, Date.parse(said.lastRefreshedDatetime));
      for (const { transactionInfo: line } of said.transactionDetails ?? []) {
        if (line) lines.set(`${line.transactionId} ${line.transactionEventCode}`, line);
      }
    }
  }
  return { asOf: new Date(asOf), lines: [...lines.values()] };
}

const stateOf = ({ transactionStatus }: TransactionInformation): ReportedRefundState =>
  transactionStatus === 'S' ? 'succeeded' : transactionStatus === 'P' ? 'pending' : 'failed';

/** Fees are written below zero. */
const netOf = ({ transactionAmount, feeAmount }: TransactionInformation): number =>
  (transactionAmount ? amountOf(transactionAmount) : 0) + (feeAmount ? amountOf(feeAmount) : 0);
