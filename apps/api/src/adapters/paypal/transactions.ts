import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { type PaypalClient, reach, unlessRefused } from './client.ts';
import { amountOf } from './money.ts';

const DAY_MS = 86_400_000;
/** PayPal answers for at most 31 days at once. */
const SPAN_MS = 30 * DAY_MS;
const PAGE = 500;

/** A payment of any kind that somebody made to us. */
export const isPayment = ({
  transactionEventCode = '',
  transactionAmount,
}: TransactionInformation): boolean =>
  transactionEventCode.startsWith('T00') &&
  transactionAmount !== undefined &&
  amountOf(transactionAmount) > 0;

/**
 * The order by which a payment was made that we have no name of, by our own name of it: PayPal has no list of orders, and
 * of its movements one that is up to three hours late. Absence proves nothing.
 */
export async function orderPaidAs(client: PaypalClient, attemptId: string): Promise<string | undefined> {
  const since = new Date(client.settings.clock.now().getTime() - SPAN_MS);
  // Refused where the app has not that right.
  const moved = await unlessRefused(allLines(client, since), 403);
  if (moved === 'unknown') return undefined;
  const line = moved.lines.find(one => isPayment(one) && one.customField === attemptId);
  if (!line?.transactionId) return undefined;
  const capture = await reach(client.payments.getCapturedPayment({ captureId: line.transactionId }));
  return capture.supplementaryData?.relatedIds?.orderId;
}

/** All lines since then, over all spans and pages, and up to when PayPal knows them. */
export async function allLines(
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
