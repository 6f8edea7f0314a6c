import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { type PaypalClient, PaypalRefused, reach, unlessRefused } from './client.ts';
import { amountOf } from './money.ts';

const DAY_MS = 86_400_000;
/** PayPal accepts ranges of at most 31 days. */
const SPAN_MS = 30 * DAY_MS;
const PAGE = 500;

/** A payment of any kind to us. */
export const isPayment = ({
  transactionEventCode = '',
  transactionAmount,
}: TransactionInformation): boolean =>
  transactionEventCode.startsWith('T00') &&
  transactionAmount !== undefined &&
  amountOf(transactionAmount) > 0;

/**
 * Finds the order of a payment by our own id. PayPal cannot list orders, only movements, up to
 * three hours late, so absence proves nothing.
 */
export async function orderPaidAs(client: PaypalClient, attemptId: string): Promise<string | undefined> {
  const since = new Date(client.settings.clock.now().getTime() - SPAN_MS);
  // 403: the app lacks the feature.
  const moved = await unlessRefused(allLines(client, since), 403);
  if (moved === 'unknown') return undefined;
  const line = moved.lines.find(one => isPayment(one) && one.customField === attemptId);
  if (!line?.transactionId) return undefined;
  const capture = await reach(client.payments.getCapturedPayment({ captureId: line.transactionId }));
  return capture.supplementaryData?.relatedIds?.orderId;
}

/** A range of more than 10,000 lines is refused as a whole, whatever the page. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof PaypalRefused && [error.kind, error.issue].includes('RESULTSET_TOO_LARGE');
/** Shortest range that is split. No shop exceeds the limit within it. */
const SHORTEST_MS = 60_000;

type Lines = { asOf: number; lines: TransactionInformation[] };

/**
 * All lines since an instant, over all ranges and pages, and the time up to which PayPal knows
 * them.
 */
export async function allLines(
  client: PaypalClient,
  since: Date,
  until = client.settings.clock.now().getTime(),
): Promise<{ asOf: Date; lines: TransactionInformation[] }> {
  // A range includes both ends: a movement at the boundary of two ranges is in both.
  const lines = new Map<string, TransactionInformation>();
  let asOf = until;
  // From the end, because a range that begins within the last hours is refused.
  for (let end = until; end > since.getTime(); end -= SPAN_MS) {
    const said = await linesIn(client, Math.max(end - SPAN_MS, since.getTime()), end);
    asOf = Math.min(asOf, said.asOf);
    for (const line of said.lines) lines.set(`${line.transactionId} ${line.transactionEventCode}`, line);
  }
  return { asOf: new Date(asOf), lines: [...lines.values()] };
}

/** The lines of a range, which is split in halves if it has too many. */
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
