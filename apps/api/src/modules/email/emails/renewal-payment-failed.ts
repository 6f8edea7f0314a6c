import { MAX_TRIES, nextTryAt } from '@fixpoint/domain/subscription/renewal.ts';
import type { Db } from '../../../ports/database.ts';
import { defineEmail } from '../define-email.ts';
import { toPayment } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/**
 * Sent when an automatic charge of a renewal was refused and will be tried again. Not sent once the invoice is paid, no try
 * is left or the subscription ends: other emails say so.
 */
export const renewalPaymentFailed = defineEmail({
  name: 'renewalFailed',
  together: { kind: 'renewalFailed', pace: 'day' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    if (!facts?.row.issued_at) return undefined;
    const { row } = facts;
    const period = { start: row.period_start!, end: row.period_end };
    const tryAt = row.grace_spent ? period.end : nextTryAt(row.issued_at!, period, row.tries);
    if (!tryAt || facts.isPast(tryAt) || row.cancel_at_period_end || row.suspended) return undefined;
    return { ...facts, tryAt, refused: await lastCharge(context.db, row.invoice_id!) };
  },
  about: ({ values }) => values,
  content(context, { row, nextPeriodValues, day, payableUntilDay, tryAt, refused }) {
    const { t } = context;
    const needsCustomer = refused?.asks_owner;
    const body = t(needsCustomer ? 'renewalFailed.asked' : 'renewalFailed.body', {
      ...nextPeriodValues,
      reference: row.reference!,
    });
    const nextTry = row.tries < MAX_TRIES - 1 ? 'renewalFailed.again' : 'renewalFailed.last';
    const another = needsCustomer ? 'renewalFailed.confirm' : 'renewalFailed.another';
    return {
      subject: t('renewalFailed.subject', nextPeriodValues),
      preview: t('renewalFailed.preview'),
      // A charge that the bank would refuse again is not tried again, nor one whose subscription ends before.
      paragraphs: [
        body,
        refused?.hard || row.grace_spent
          ? t(another, { date: payableUntilDay! })
          : t(nextTry, { date: day(tryAt) }),
      ],
      action: toPayment(context),
    };
  },
});

/** The last automatic charge of an invoice. */
const lastCharge = (db: Db, invoiceId: string) =>
  db
    .selectFrom('attempt')
    .select(['hard', 'asks_owner'])
    .where('invoice_id', '=', invoiceId)
    .where('unattended', '=', true)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst();
