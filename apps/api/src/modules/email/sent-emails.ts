import type { Db } from '../../ports/database.ts';

/** Subjects whose ID is no part of a secret: a refresh token begins with the ID of its session. */
const NAMED = /^(sub|inv|ref|att|key|ord)_/;

/** An email that the mail server has taken. `messageId`: its header, `<name@host>`. */
export type Sent = { messageId: string; template: string; subjectId: string };

/** Records what was sent to a customer, without its text. A repeated job records it once. */
export async function recordSent(db: Db, at: Date, customerId: string, sent: readonly Sent[]): Promise<void> {
  await db
    .insertInto('sent_email')
    .values(
      sent.map(({ messageId, template, subjectId }) => ({
        message_id: messageId.slice(1, messageId.indexOf('@')),
        template,
        subject_id: NAMED.test(subjectId) ? subjectId : '',
        customer_id: customerId,
        sent_at: at,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** What was sent to a customer, for the export of their data. */
export async function sentEmailsOf(db: Db, customerId: string): Promise<Record<string, unknown>> {
  const rows = await db
    .selectFrom('sent_email')
    .select(['template', 'subject_id', 'sent_at'])
    .where('customer_id', '=', customerId)
    .orderBy('sent_at')
    .execute();
  return {
    sentEmails: rows.map(({ template, subject_id, sent_at }) => ({
      email: template,
      about: subject_id || null,
      at: sent_at.toISOString(),
    })),
  };
}

/** Erases what was sent to a deleted account. */
export async function eraseSentEmails(tx: Db, customerId: string): Promise<void> {
  await tx.deleteFrom('sent_email').where('customer_id', '=', customerId).execute();
}
