import { canMove, type Transitions } from '../kernel/machine.ts';

/**
 * Money on its way back. `created`: the provider is asked or about to be. A refund that succeeded can still come back: the
 * customer's bank refused it.
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
