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

/**
 * Days for which a gateway refunds a payment; absent: it publishes no limit. PayPal:
 * paypal.com/cshelp/article/how-do-i-issue-a-refund-help101, issue `REFUND_TIME_LIMIT_EXCEEDED`.
 */
const REFUND_DAYS: Readonly<Record<string, number>> = { paypal: 180 };

/** Whether a gateway does not refund a payment any more because of its age. */
export function isTooOldToRefund(provider: string, paidAt: Date, now: Date): boolean {
  const days = REFUND_DAYS[provider];
  return days !== undefined && now.getTime() - paidAt.getTime() > days * 86_400_000;
}

/** Why a gateway refuses to create a refund; `disputed`: while or since the payment is disputed. */
export type RefundRefusal = 'never' | 'gone' | 'disputed' | 'later';

/**
 * What becomes of a refused refund. After a decided dispute the gateway never refunds the payment;
 * while none is decided, or its webhook is late, the decision is awaited.
 */
export const refusedRefundEnd = (
  refused: RefundRefusal,
  disputeDecided: boolean,
): 'waits' | 'refused' | 'gone' =>
  refused === 'gone'
    ? 'gone'
    : refused === 'never' || (refused === 'disputed' && disputeDecided)
      ? 'refused'
      : 'waits';
