import { z } from 'zod';
import type { Post } from '../control/post.ts';
import { findCapture, settleCapture } from './captures.ts';
import { chargeDispute, closeDispute, openDispute } from './disputes.ts';
import { approve } from './orders.ts';
import { refundIssues } from './refund-issues.ts';
import { refuseRefunds } from './refund-refusals.ts';
import { returnRefund, reverseCapture } from './refunds.ts';
import { REPORT_LAG } from './reporting.ts';
import type { PaypalState } from './state.ts';
import { deleteToken, VAULT_DELAY } from './vault.ts';

const funding = z.enum(['balance', 'refusedCard', 'bank']).default('balance');

/** A part in the smallest unit; absent: everything. */
const units = z.number().int().min(1).optional();

/** Controls of PayPal for tests: the buyer, their bank, and delays. */
export function paypalControl(state: PaypalState, post: Post): void {
  post('paypal/approve', z.strictObject({ order: z.string(), funding }), given =>
    approve(state, given.order, given.funding),
  );
  post(
    'paypal/captures/settle',
    z.strictObject({ capture: z.string(), outcome: z.enum(['completed', 'declined']) }),
    ({ capture, outcome }) => settleCapture(state, capture, outcome === 'completed'),
  );
  post('paypal/refunds/return', z.strictObject({ refund: z.string() }), ({ refund }) =>
    returnRefund(state, refund),
  );
  post(
    'paypal/refunds/refuse',
    z.strictObject({ capture: z.string(), issue: z.enum(refundIssues).optional() }),
    ({ capture, issue }) => refuseRefunds(state, findCapture(state, capture).capture.id, issue),
  );
  post('paypal/vault/late', z.strictObject({ ms: z.number().int().min(0) }), ({ ms }) => {
    state.settings.put(VAULT_DELAY, ms);
  });
  post('paypal/report/late', z.strictObject({ ms: z.number().int().min(0) }), ({ ms }) => {
    state.settings.put(REPORT_LAG, ms);
  });
  post('paypal/vault/revoke', z.strictObject({ token: z.string() }), ({ token }) =>
    deleteToken(state, token),
  );
  post(
    'paypal/disputes/open',
    z.strictObject({
      capture: z.string(),
      reason: z.string().optional(),
      inquiry: z.boolean().default(false),
      channel: z.enum(['INTERNAL', 'EXTERNAL']).optional(),
    }),
    given => openDispute(state, given.capture, given.reason, given.inquiry, given.channel),
  );
  post(
    'paypal/disputes/close',
    z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost']), amount: units }),
    ({ dispute, outcome, amount }) => closeDispute(state, dispute, outcome, amount),
  );
  post(
    'paypal/disputes/fee',
    z.strictObject({ dispute: z.string(), amount: z.number().int() }),
    ({ dispute, amount }) => chargeDispute(state, dispute, amount),
  );
  post(
    'paypal/captures/reverse',
    z.strictObject({ capture: z.string(), amount: units }),
    ({ capture, amount }) => reverseCapture(state, capture, amount),
  );
}
