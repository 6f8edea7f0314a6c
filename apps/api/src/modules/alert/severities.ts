import type { Severity } from '../../ports/alert-channel.ts';
import type { AlertKind } from './kinds.ts';

/**
 * How soon somebody has to act. `critical`: customers are cut off or cannot buy, somebody else is served, or money leaves now;
 * it passes quiet hours. `warning`: on the same day. `notice`: when there is time.
 */
export const severityOf = {
  'job.dead': 'warning',
  'backup.late': 'critical',
  'job.failing': 'warning',
  'task.failing': 'warning',
  'document.failed': 'warning',
  'attempt.unknown': 'warning',
  'attempt.notMade': 'critical',
  'attempt.differs': 'warning',
  'attempt.short': 'notice',
  'payment.gone': 'warning',
  'payment.unapplied': 'warning',
  'credit.unclaimed': 'notice',
  'payment.unknown': 'warning',
  'refund.unknown': 'warning',
  'refund.unfinished': 'warning',
  'refund.failed': 'warning',
  'refund.refused': 'warning',
  'refund.gone': 'warning',
  'dispute.unknown': 'warning',
  dispute: 'warning',
  'dispute.lost': 'warning',
  'dispute.regained': 'warning',
  'provider.differs': 'warning',
  'provider.balance': 'warning',
  'cards.wave': 'critical',
  'host.overtaken': 'critical',
  'host.oldAgent': 'warning',
  'host.silent': 'critical',
  'host.clock': 'warning',
  'host.foreignAddress': 'critical',
  'entitlement.drift': 'critical',
  'delivery.failed': 'warning',
  'delivery.unchecked': 'notice',
  'subscription.waiting': 'critical',
  'payout.destination': 'critical',
  'books.differ': 'critical',
  'mail.failing': 'critical',
  'channel.failing': 'critical',
  'addresses.low': 'warning',
  'addresses.soldOut': 'critical',
} as const satisfies Record<AlertKind, Severity>;
