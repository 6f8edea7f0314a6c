import { canMove, type Transitions } from '../kernel/machine.ts';

/**
 * `created`: the provider is being asked, nothing is known yet. A refund that succeeded can still
 * fail when the customer's bank returns it.
 */
export type RefundStatus = 'created' | 'pending' | 'succeeded' | 'failed';
export type ReportedRefundState = Exclude<RefundStatus, 'created'>;

export const refundTransitions = {
  created: ['pending', 'succeeded', 'failed'],
  pending: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
} as const satisfies Transitions<RefundStatus>;

export const nextRefundStatus = (status: RefundStatus, reported: ReportedRefundState): RefundStatus =>
  canMove<RefundStatus>(refundTransitions, status, reported) ? reported : status;
