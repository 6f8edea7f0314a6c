import { z } from 'zod';
import type { Post } from '../control/post.ts';
import { settleCapture } from './captures.ts';
import { chargeDispute, closeDispute, openDispute } from './disputes.ts';
import { approve } from './orders.ts';
import { returnRefund, reverseCapture } from './refunds.ts';
import { REPORT_LAG } from './reporting.ts';
import { deleteToken, VAULT_DELAY } from './vault.ts';
import type { PaypalWorld } from './world.ts';

const funding = z.enum(['balance', 'refusedCard', 'bank']).default('balance');

/** A part, in the smallest unit; absent: all of it. */
const units = z.number().int().min(1).optional();

/** What tests steer at PayPal: the buyer, his bank, and what takes its time. */
export function paypalControl(world: PaypalWorld, post: Post): void {
  post('paypal/approve', z.strictObject({ order: z.string(), funding }), given =>
    approve(world, given.order, given.funding),
  );
  post(
    'paypal/captures/settle',
    z.strictObject({ capture: z.string(), outcome: z.enum(['completed', 'declined']) }),
    ({ capture, outcome }) => settleCapture(world, capture, outcome === 'completed'),
  );
  post('paypal/refunds/return', z.strictObject({ refund: z.string() }), ({ refund }) =>
    returnRefund(world, refund),
  );
  post('paypal/vault/late', z.strictObject({ ms: z.number().int().min(0) }), ({ ms }) => {
    world.settings.put(VAULT_DELAY, ms);
  });
  post('paypal/report/late', z.strictObject({ ms: z.number().int().min(0) }), ({ ms }) => {
    world.settings.put(REPORT_LAG, ms);
  });
  post('paypal/vault/revoke', z.strictObject({ token: z.string() }), ({ token }) =>
    deleteToken(world, token),
  );
  post(
    'paypal/disputes/open',
    z.strictObject({
      capture: z.string(),
      reason: z.string().optional(),
      inquiry: z.boolean().default(false),
    }),
    given => openDispute(world, given.capture, given.reason, given.inquiry),
  );
  post(
    'paypal/disputes/close',
    z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost']), amount: units }),
    ({ dispute, outcome, amount }) => closeDispute(world, dispute, outcome, amount),
  );
  post(
    'paypal/disputes/fee',
    z.strictObject({ dispute: z.string(), amount: z.number().int() }),
    ({ dispute, amount }) => chargeDispute(world, dispute, amount),
  );
  post(
    'paypal/captures/reverse',
    z.strictObject({ capture: z.string(), amount: units }),
    ({ capture, amount }) => reverseCapture(world, capture, amount),
  );
}
