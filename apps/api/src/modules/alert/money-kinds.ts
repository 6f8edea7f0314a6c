import { FOREIGN, RESOLVE, RETRY, resolvesOnce, shop } from './remedy-steps.ts';

/** The kinds of alerts about payments, refunds, disputes and the books, as in `alertKinds`. */
export const moneyAlertKinds = {
  'attempt.unknown': {
    summary: 'A provider has not reported the state of a payment for a day.',
    remedy: [
      'Ask the provider now:',
      RETRY,
      'If it does not answer, look the payment up there by the invoice reference.',
      resolvesOnce('the provider answers'),
    ],
  },
  'attempt.notMade': {
    summary:
      'A provider rejects our requests to create payments by a method. No customer is told that their card was declined. Renewals are retried on their next day.',
    remedy: [
      'Read the message of the provider in the log.',
      'Check the account at the provider:',
      shop('payments check'),
      'Fix the cause, then resolve the alert:',
      RESOLVE,
    ],
  },
  'attempt.differs': {
    summary:
      'A provider holds a payment of ours with another amount, currency or reference than we asked for.',
    remedy: [
      'Compare the payment at the provider.',
      'Refund there what is not ours.',
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'attempt.short': {
    summary: 'A payment is smaller than its invoice. The shop is refunding it to the payer.',
    remedy: ['Write to the customer if you want to. Nothing else is needed.', 'Resolve the alert:', RESOLVE],
  },
  'payment.gone': {
    summary:
      'Coins of a settled payment have disappeared at BTCPay Server: a longer chain took them back. gone: how much is missing now.',
    remedy: [
      'Look the payment up at BTCPay Server. Coins often come back with one of the next blocks, and the alert resolves itself.',
      'If they are still gone a day later, ask the customer to pay again, or book the loss, with a credit note:',
      shop('refund due SUBJECT --write-off --reason TEXT'),
    ],
  },
  'payment.unapplied': {
    summary: 'Money came that no invoice asked for, and the account that it would be credited to is closed.',
    remedy: [
      'Write to the payer if that is still possible.',
      'Refund the money from your own bank.',
      'Book the refund:',
      shop('refund due SUBJECT --reason TEXT'),
      'If the payer cannot be found, write it off:',
      shop('refund due SUBJECT --write-off --reason TEXT'),
    ],
  },
  'credit.unclaimed': {
    summary:
      'An account was closed with credit that no payment of ours can take back: its payment was refunded or disputed otherwise. The sum stands beside the alert.',
    remedy: [
      'Find out in the books where the credit came from:',
      shop('books'),
      'Write to the former customer if that is still possible, and pay the sum from your own bank if it is theirs.',
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'payment.unknown': {
    summary: 'A provider has taken money with a payment that is not ours.',
    remedy: [
      'Look the payment up at the provider and refund it there.',
      'Declare the payment foreign:',
      FOREIGN,
      'Declare its refund foreign with the same command and the ID of the refund.',
    ],
  },
  'refund.unknown': {
    summary: 'A provider reports a refund that the shop did not make.',
    remedy: [
      'Find out at the provider who made it.',
      'If it refunds a payment of ours, book it:',
      shop('refund INVOICE --made SUBJECT --amount 99.00 --reason TEXT'),
      'Otherwise declare it foreign:',
      FOREIGN,
    ],
  },
  'refund.unfinished': {
    summary: 'A refund is not final after a day.',
    remedy: [
      'Retry it now:',
      RETRY,
      'If it stays open, look it up at the provider.',
      resolvesOnce('the refund is final'),
    ],
  },
  'refund.failed': {
    summary: 'A refund failed for good. We hold the money, and it belongs to the payer.',
    remedy: [
      'Send the refund again:',
      shop('refund again SUBJECT'),
      'Or refund the money from your own bank, then book that:',
      shop('refund due SUBJECT --reason TEXT'),
      'If the payer cannot be found any more, write it off:',
      shop('refund due SUBJECT --write-off --reason TEXT'),
    ],
  },
  'refund.refused': {
    summary:
      'A gateway refuses a refund for good, for the reason beside the alert. We hold the money, and it belongs to the payer.',
    remedy: [
      'Refund the money from your own bank, then book that:',
      shop('refund due SUBJECT --reason TEXT'),
      'If the cause was your account at the gateway and is removed, send the refund again:',
      shop('refund again SUBJECT'),
      'If the payer cannot be found any more, write it off:',
      shop('refund due SUBJECT --write-off --reason TEXT'),
    ],
  },
  'refund.gone': {
    summary:
      'A gateway refuses a refund because the money has left already: somebody refunded it there, or coins were taken back.',
    remedy: [
      'Look the payment up at the gateway.',
      'If it was refunded there, book that refund, which takes the place of this one:',
      shop('refund INVOICE --made REF --amount 99.00 --reason TEXT'),
      'If it is gone otherwise, write off what this refund would send:',
      shop('refund due SUBJECT --write-off --reason TEXT'),
    ],
  },
  'dispute.unknown': {
    summary:
      'A provider reports a dispute of a payment that is not ours, or does not let us read the dispute.',
    remedy: ['Look the dispute up at the provider and answer it there.', 'Resolve the alert:', RESOLVE],
  },
  dispute: {
    summary: 'A payer disputes a payment.',
    remedy: [
      'Write the evidence to a file:',
      shop('dispute evidence SUBJECT'),
      'Submit it at the provider before the deadline.',
      resolvesOnce('the dispute is decided'),
    ],
  },
  'dispute.lost': {
    summary:
      'A dispute was lost, or coins that are gone were booked (reorganised). The money of the payment is gone, and a credit note was issued.',
    remedy: [
      'Decide what becomes of the subscription.',
      'If it is suspended and should run again, restore it:',
      shop('dispute restore SUBSCRIPTION'),
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'dispute.regained': {
    summary:
      'A lost dispute was reversed in our favour. Its credit note stands, so we owe the payer the money.',
    remedy: [
      'Agree with the customer on a refund or a new invoice.',
      'To refund:',
      shop('refund again CREDITNOTE'),
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'provider.differs': {
    summary:
      'A gateway and the shop disagree about a payment, refund or dispute. why: "succeeded there, not booked here" is money of a customer that is in no book.',
    remedy: [
      'List the differences, each with its query:',
      shop('books'),
      'Look the payment up at the gateway.',
      'If it is ours, the shop asks again every ten minutes. If that fails, read its error in the log and fix the cause.',
      'If it is not ours, refund it there, then declare it foreign:',
      shop('payments foreign PROVIDER REF --reason TEXT'),
      'If it is a refund that was made at the gateway, book it:',
      shop('refund INVOICE --made REF --amount 99.00 --reason TEXT'),
      'The alert resolves itself within an hour after both agree.',
    ],
  },
  'provider.balance': {
    summary: 'A gateway and the shop disagree in the weekly comparison of everything, down to the balance.',
    remedy: [
      'List the differences, each with its query:',
      shop('books'),
      'The alert resolves itself within a day after both agree.',
    ],
  },
  'cards.wave': {
    summary: 'Banks declined unusually many cards within an hour. Somebody may be testing stolen ones.',
    remedy: [
      'Look at the declined payments at the provider.',
      'Require 3-D Secure more often there, or block what those payments share.',
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'payout.destination': {
    summary:
      'A gateway pays out to a bank account that nobody has confirmed. If the account is not yours, somebody else can change your settings at the gateway.',
    remedy: [
      'Find the payout on the statement of your bank.',
      'If it arrived, tick it off. Its bank account is known from then on:',
      shop('books arrived PAYOUT'),
      'If the bank account is not yours, stop payouts at the gateway now, and change its password and keys.',
      'Then resolve the alert:',
      RESOLVE,
    ],
  },
  'books.differ': {
    summary: 'The books do not balance.',
    remedy: ['List what differs:', shop('books'), resolvesOnce('the books balance')],
  },
} as const;
