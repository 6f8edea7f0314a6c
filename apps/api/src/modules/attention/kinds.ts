/** What can need somebody's hand: the sentence for staff, and what to do. */
export const attentionKinds = {
  'job.dead': {
    says: 'A job failed again and again and was given up.',
    remedy: 'Read the log for its error, mend the cause, then: npm run shop -- attention retry SUBJECT',
  },
  'duty.failing': {
    says: 'A duty of every minute fails.',
    remedy: 'Read the log for its error. The row goes by itself once the duty succeeds.',
  },
  'attempt.unknown': {
    says: 'A provider has not said for a day how a payment stands.',
    remedy:
      'Look the payment up at the provider by the invoice reference. The row goes by itself once it answers.',
  },
  'attempt.differs': {
    says: 'A provider holds a payment of ours with another amount, currency or reference than we asked for.',
    remedy:
      'Compare it at the provider; give back what is not ours, then: npm run shop -- attention mend SUBJECT',
  },
  'attempt.short': {
    says: 'Less money came than an invoice asks for. It is on its way back to the payer.',
    remedy: 'Nothing, or write to the customer; then: npm run shop -- attention mend SUBJECT',
  },
  'payment.unknown': {
    says: 'A provider has taken money with a payment that is none of ours.',
    remedy: 'Look it up at the provider; give it back there, then: npm run shop -- attention mend SUBJECT',
  },
  'refund.unknown': {
    says: 'A provider tells of a refund that is none of ours.',
    remedy: 'Find out who made it at the provider and book it, then: npm run shop -- attention mend SUBJECT',
  },
  'refund.unfinished': {
    says: 'A refund is not final after a day.',
    remedy: 'Look it up at the provider. The row goes by itself once it is final.',
  },
  'refund.failed': {
    says: 'A refund failed for good: the money is with us and belongs to the payer.',
    remedy: 'Pay it back another way, then: npm run shop -- attention mend SUBJECT',
  },
  dispute: {
    says: 'A payer disputes a payment.',
    remedy: 'Answer it at the provider before its deadline, then: npm run shop -- attention mend SUBJECT',
  },
  'books.differ': {
    says: 'The books do not balance.',
    remedy: 'npm run shop -- books',
  },
} as const satisfies Record<string, { says: string; remedy: string }>;

export type AttentionKind = keyof typeof attentionKinds;
