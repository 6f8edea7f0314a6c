import type { Refund } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import type { ReportedDispute } from '../../ports/payment-gateway.ts';
import { type PaypalClient, reach, unlessRefused } from './client.ts';
import { amountOf } from './money.ts';
import { refundOf } from './objects.ts';

const money = z.object({ currency_code: z.string(), value: z.string() });
/** Fields of a dispute that we read. */
const disputeShape = z.object({
  dispute_id: z.string(),
  reason: z.string().default('OTHER'),
  status: z.string(),
  dispute_amount: money,
  dispute_life_cycle_stage: z.string().optional(),
  dispute_channel: z.string().optional(),
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

/** Lists contain little more than the ids of disputes, and a token for the next page. */
const listShape = z.object({
  items: z.array(z.object({ dispute_id: z.string() })).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});
const nextOf = ({ links }: z.output<typeof listShape>): string | null | undefined => {
  const next = links.find(({ rel }) => rel === 'next');
  return next && new URL(next.href).searchParams.get('next_page_token');
};

/**
 * Outcomes with which the money is lost. With every other one it stays with us, also if PayPal pays
 * the buyer.
 */
const LOST = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

const DISPUTES = 'v1/customer/disputes';

/**
 * Reads a dispute, which the library has no call for, or a reversal: money that PayPal took back by
 * itself.
 */
export async function askDispute(client: PaypalClient, ref: string): Promise<ReportedDispute | 'unknown'> {
  const dispute = await unlessUnknown(client.get(disputeShape, `${DISPUTES}/${encodeURIComponent(ref)}`));
  return dispute === 'unknown' ? askReversal(client, ref) : disputeOf(dispute);
}

/** Range and page size of PayPal's list. */
const LISTED_MS = 179 * 86_400_000;
const PAGE = 50;

/** Disputes updated since an instant; none if the app may not read them. */
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

/** 403: the app may not read disputes. */
const unlessUnknown = <T>(asked: Promise<T>) => unlessRefused(asked, 403, 404);

/** Money that moved within a dispute is reported by it; without one it is lost as it moves. */
async function askReversal(client: PaypalClient, ref: string): Promise<ReportedDispute | 'unknown'> {
  const found = await unlessUnknown(reach(client.payments.getRefund({ refundId: ref })));
  // Movements of a dispute, including its fee, are listed under the payment.
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
  const {
    dispute_amount: disputed,
    disputed_transactions: payments,
    seller_response_due_date: due,
  } = dispute;
  const paymentRef = payments[0]?.seller_transaction_id;
  if (!paymentRef) return 'unknown';
  const state = stateOf(dispute);
  const amount = amountOf({ currencyCode: disputed.currency_code, value: disputed.value });
  return {
    ref: dispute.dispute_id,
    paymentRef,
    state,
    currency: disputed.currency_code,
    amount,
    // Withheld from the claim until the decision: for us, or for the buyer, who may get a part.
    withdrawn: state === 'open' ? amount : state === 'lost' ? (refundedBy(dispute) ?? amount) : 0,
    fee: feeOf(dispute),
    reason: dispute.reason,
    respondBy: due === undefined ? null : new Date(due),
    // A chargeback at the buyer's bank, unless it was won (REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK).
    blocksRefunds: dispute.dispute_channel === 'EXTERNAL' && state !== 'won',
  };
}

/** Amount that the buyer got; undefined if PayPal does not say, or names another currency. */
const refundedBy = ({ dispute_outcome: outcome, dispute_amount: of }: Dispute) =>
  amountIn(of.currency_code, outcome?.amount_refunded);

/** Fee of the dispute less refunds of it; amounts in another currency are ignored. */
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
