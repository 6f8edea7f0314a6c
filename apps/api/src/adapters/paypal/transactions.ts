import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { type PaypalClient, PaypalRefused, reach, unlessRefused } from './client.ts';
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

/** A span of more than 10,000 lines is refused whole, whatever page is asked for. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof PaypalRefused && [error.kind, error.issue].includes('RESULTSET_TOO_LARGE');
/** In what is shorter than this no shop has moved so much. */
const SHORTEST_MS = 60_000;

type Lines = { asOf: number; lines: TransactionInformation[] };

/** All lines since then, over all spans and pages, and up to when PayPal knows them. */
export async function allLines(
  client: PaypalClient,
  since: Date,
): Promise<{ asOf: Date; lines: TransactionInformation[] }> {
  const until = client.settings.clock.now().getTime();
  // A span includes both of its ends: what moved in the moment where two meet is in both.
  const lines = new Map<string, TransactionInformation>();
  let asOf = until;
  // From the end: a span that began a moment ago is refused, as PayPal lists hours late.
  for (let end = until; end > since.getTime(); end -= SPAN_MS) {
    const said = await linesIn(client, Math.max(end - SPAN_MS, since.getTime()), end);
    asOf = Math.min(asOf, said.asOf);
    for (const line of said.lines) lines.set(`${line.transactionId} ${line.transactionEventCode}`, line);
  }
  return { asOf: new Date(asOf), lines: [...lines.values()] };
}

/** The lines of a span; of one that has too many those of both its halves. */
async function linesIn(client: PaypalClient, start: number, end: number): Promise<Lines> {
  try {
    return await pagesOf(client, start, end);
  } catch (error) {
    if (!isTooLarge(error) || end - start < SHORTEST_MS) throw error;
    const middle = Math.floor((start + end) / 2);
    const halves = [await linesIn(client, start, middle), await linesIn(client, middle, end)];
    return {
      asOf: Math.min(...halves.map(({ asOf }) => asOf)),
      lines: halves.flatMap(({ lines }) => lines),
    };
  }
}

async function pagesOf({ search }: PaypalClient, start: number, end: number): Promise<Lines> {
  const [startDate, endDate] = [start, end].map(ms => new Date(ms).toISOString());
  const found: Lines = { asOf: Number.POSITIVE_INFINITY, lines: [] };
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const said = await reach(
      search.searchTransactions({
        startDate: startDate!,
        endDate: endDate!,
        fields: 'transaction_info',
        pageSize: PAGE,
        page,
      }),
    );
    pages = said.totalPages ?? 1;
    if (said.lastRefreshedDatetime) found.asOf = Math.min(found.asOf, Date.parse(said.lastRefreshedDatetime));
    for (const { transactionInfo: line } of said.transactionDetails ?? []) if (line) found.lines.push(line);
  }
  return found;
}
