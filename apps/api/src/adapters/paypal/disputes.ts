import type { Refund } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import type { ReportedDispute } from '../../ports/payment-gateway.ts';
import { type PaypalClient, reach, unlessRefused } from './client.ts';
import { amountOf } from './money.ts';
import { refundOf } from './objects.ts';

const money = z.object({ currency_code: z.string(), value: z.string() });
/** What of a dispute we read; PayPal says much more. */
const disputeShape = z.object({
  dispute_id: z.string(),
  reason: z.string().default('OTHER'),
  status: z.string(),
  dispute_amount: money,
  dispute_life_cycle_stage: z.string().optional(),
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: money.optional() })
    .optional(),
  money_movements: z
    .array(
      z.object({
        affected_party: z.string().optional(),
        type: z.string().optional(),
        reason: z.string().optional(),
        amount: money.optional(),
      }),
    )
    .default([]),
  seller_response_due_date: z.iso.datetime({ offset: true }).optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
});
type Dispute = z.output<typeof disputeShape>;

/** A list says of each dispute little more than its name, and leads to what follows by a token of its own. */
const listShape = z.object({
  items: z.array(z.object({ dispute_id: z.string() })).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});
const nextOf = ({ links }: z.output<typeof listShape>): string | null | undefined => {
  const next = links.find(({ rel }) => rel === 'next');
  return next && new URL(next.href).searchParams.get('next_page_token');
};

/** Outcomes after which the money stays away. Whatever else ends a dispute leaves it with us, also what PayPal pays itself. */
const LOST = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

const DISPUTES = 'v1/customer/disputes';

/**
 * How a dispute stands; its calls are none of the library's. Or a reversal, by its own name: money that PayPal has taken
 * back by itself.
 */
export async function askDispute(client: PaypalClient, ref: string): Promise<ReportedDispute | 'unknown'> {
  const dispute = await unlessUnknown(client.get(disputeShape, `${DISPUTES}/${encodeURIComponent(ref)}`));
  return dispute === 'unknown' ? askReversal(client, ref) : disputeOf(dispute);
}

/** PayPal looks back so far, and lists so many at once. */
const LISTED_MS = 179 * 86_400_000;
const PAGE = 50;

/** Disputes that have moved since then; none where the app lacks the right to look at them. */
export async function disputesSince({ get, settings }: PaypalClient, since: Date): Promise<string[]> {
  const after = new Date(Math.max(since.getTime(), settings.clock.now().getTime() - LISTED_MS));
  const first = `${DISPUTES}?update_time_after=${after.toISOString()}&page_size=${PAGE}`;
  const all: string[] = [];
  let path = first;
  for (;;) {
    const listed = await unlessUnknown(get(listShape, path));
    if (listed === 'unknown') return all;
    all.push(...listed.items.map(({ dispute_id: ref }) => ref));
    const next = nextOf(listed);
    if (!next) return all;
    path = `${first}&next_page_token=${encodeURIComponent(next)}`;
  }
}

/** Refused also where the app lacks the right to look at disputes. */
const unlessUnknown = <T>(asked: Promise<T>) => unlessRefused(asked, 403, 404);

/** What went by a dispute that dispute says; what went without one is lost as it comes. */
async function askReversal(client: PaypalClient, ref: string): Promise<ReportedDispute | 'unknown'> {
  const found = await unlessUnknown(reach(client.payments.getRefund({ refundId: ref })));
  // What moves for a dispute, its fee too, is listed by the name of the payment.
  const paymentRef = found === 'unknown' ? ref : paymentOf(found);
  if (!paymentRef) return 'unknown';
  const by = await unlessUnknown(client.get(listShape, `${DISPUTES}?disputed_transaction_id=${paymentRef}`));
  const [dispute] = by === 'unknown' ? [] : by.items;
  if (dispute) return askDispute(client, dispute.dispute_id);
  if (found === 'unknown' || !found.amount) return 'unknown';
  const { amount, noteToPayer } = found;
  const { state } = refundOf(found);
  return {
    ref,
    paymentRef,
    state: STATE_OF_REVERSAL[state],
    currency: amount.currencyCode,
    amount: amountOf(amount),
    withdrawn: state === 'succeeded' ? amountOf(amount) : 0,
    fee: 0,
    reason: noteToPayer ?? 'REVERSED',
    respondBy: null,
  };
}

const paymentOf = ({ links }: Refund): string | undefined =>
  links
    ?.find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-1);

const STATE_OF_REVERSAL = { succeeded: 'lost', pending: 'open', failed: 'won' } as const;

function disputeOf(dispute: Dispute): ReportedDispute | 'unknown' {
  const { dispute_amount: held, disputed_transactions: payments, seller_response_due_date: due } = dispute;
  const paymentRef = payments[0]?.seller_transaction_id;
  if (!paymentRef) return 'unknown';
  const state = stateOf(dispute);
  const amount = amountOf({ currencyCode: held.currency_code, value: held.value });
  return {
    ref: dispute.dispute_id,
    paymentRef,
    state,
    currency: held.currency_code,
    amount,
    // Held from the moment it is a claim until it is decided: for us, or for the buyer, who may get a part.
    withdrawn: state === 'open' ? amount : state === 'lost' ? (refundedBy(dispute) ?? amount) : 0,
    fee: feeOf(dispute),
    reason: dispute.reason,
    respondBy: due === undefined ? null : new Date(due),
  };
}

/** What the buyer got of it; undefined where PayPal does not say, or in another currency. */
const refundedBy = ({ dispute_outcome: outcome, dispute_amount: of }: Dispute) =>
  amountIn(of.currency_code, outcome?.amount_refunded);

/** What PayPal took for the dispute itself, less what of it came back; nothing of what it says in another currency. */
function feeOf({ money_movements: movements, dispute_amount: of }: Dispute): number {
  const fees = movements
    .filter(({ affected_party: party, reason }) => party === 'SELLER' && reason?.endsWith('_FEE'))
    .map(({ type, amount }) => (amountIn(of.currency_code, amount) ?? 0) * (type === 'CREDIT' ? -1 : 1));
  return Math.max(
    0,
    fees.reduce((sum, fee) => sum + fee, 0),
  );
}

const amountIn = (currencyCode: string, said: z.output<typeof money> | undefined): number | undefined =>
  said?.currency_code === currencyCode ? amountOf({ currencyCode, value: said.value }) : undefined;

function stateOf(dispute: Dispute): ReportedDispute['state'] {
  const { status, dispute_outcome: outcome, dispute_life_cycle_stage: stage } = dispute;
  if (status === 'RESOLVED') return LOST.includes(outcome?.outcome_code ?? '') ? 'lost' : 'won';
  return stage === 'INQUIRY' ? 'inquiry' : 'open';
}
