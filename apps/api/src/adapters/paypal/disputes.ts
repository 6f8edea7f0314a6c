import { z } from 'zod';
import type { ReportedDispute } from '../../ports/payment-gateway.ts';
import { type PaypalClient, PaypalRefused } from './client.ts';
import { amountOf } from './money.ts';

const money = z.object({ currency_code: z.string(), value: z.string() });
/** What of a dispute we read; PayPal says much more. */
const disputeShape = z.object({
  dispute_id: z.string(),
  reason: z.string().default('OTHER'),
  status: z.string(),
  dispute_amount: money,
  dispute_life_cycle_stage: z.string().optional(),
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
  seller_response_due_date: z.iso.datetime({ offset: true }).optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
});

/** Outcomes after which the money stays away. Whatever else ends a dispute leaves it with us, also what PayPal pays itself. */
const LOST = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

/** How a dispute stands; its calls are none of the library's. */
export async function askDispute({ get }: PaypalClient, ref: string): Promise<ReportedDispute | 'unknown'> {
  try {
    return disputeOf(await get(disputeShape, `v1/customer/disputes/${encodeURIComponent(ref)}`));
  } catch (error) {
    // Refused where the app lacks the right to look at disputes.
    if (error instanceof PaypalRefused && [403, 404].includes(error.status)) return 'unknown';
    throw error;
  }
}

function disputeOf(dispute: z.output<typeof disputeShape>): ReportedDispute | 'unknown' {
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
    // Held from the moment it is a claim until it is decided for us.
    withdrawn: state === 'open' || state === 'lost' ? amount : 0,
    fee: 0,
    reason: dispute.reason,
    respondBy: due === undefined ? null : new Date(due),
  };
}

function stateOf(dispute: z.output<typeof disputeShape>): ReportedDispute['state'] {
  const { status, dispute_outcome: outcome, dispute_life_cycle_stage: stage } = dispute;
  if (status === 'RESOLVED') return LOST.includes(outcome?.outcome_code ?? '') ? 'lost' : 'won';
  return stage === 'INQUIRY' ? 'inquiry' : 'open';
}
