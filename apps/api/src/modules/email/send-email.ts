import type { Db } from '../../ports/database.ts';
import type { JobData } from '../../ports/jobs.ts';
import { collectEmail } from './collected/index.ts';
import { createContextOf, type EmailDeps, recipientOf } from './email-context.ts';
import { emails } from './emails/index.ts';
import { sendContent } from './send-content.ts';

/**
 * Renders and sends the email of a job, or has it wait for others of its kind. The job names the customer and the subject; the
 * address and the tokens of links are looked up or made only when it is sent, so that no queue ever holds them.
 */
export function createSendEmail(deps: EmailDeps): (job: JobData['sendEmail']) => Promise<void> {
  const contextOf = createContextOf(deps);
  return async job => {
    const { template, subjectId, copy, userId } = job;
    const { together, toEndedAccounts, audience, write } = emails[template];
    const recipient = await recipientOf(deps, { ...job, toEndedAccounts, toUser: audience === 'user' });
    if (!recipient) return;
    const all = audience === 'buyers' && !userId;
    if (together && job.customerId && !userId && (together.always || recipient.hasOthers)) {
      // What has been collected reaches the other buyers together, too.
      if (!(await isAwaited(deps.db, job)))
        return collectEmail(deps, { ...job, customerId: job.customerId }, together);
    }
    const reads =
      recipient.founderBuys || (recipient.off.includes('shared') && (await isAwaited(deps.db, job)));
    if (all && !reads) return passOn(deps, job, recipient.otherBuyers);
    const context = (await contextOf(recipient))(job);
    const written = await write(context);
    if (written) {
      await sendContent(deps, context, written.to ?? recipient.email, {
        about: [template, subjectId, copy ?? '', userId ?? ''],
        ...written,
      });
    }
    await deps.accepted(job);
    if (all) await passOn(deps, job, recipient.otherBuyers);
  };
}

/** Sends an email to the other buyers of a customer too, each by a job of their own. The last step of a job: none comes after. */
async function passOn(
  { db, jobs }: EmailDeps,
  { template, subjectId, copy, customerId }: JobData['sendEmail'],
  others: readonly string[],
): Promise<void> {
  if (!customerId || others.length === 0) return;
  const job = { template, subjectId, customerId, ...(copy !== undefined && { copy }) };
  await jobs.enqueueAll(
    db,
    'sendEmail',
    others.map(userId => ({ ...job, userId })),
  );
}

/**
 * Whether a guest waits for the email, because their only way on leads through it: that of an order, and one that they ask
 * for again. It never waits for others, so that a stranger does not see whether the address has other subscriptions (S17).
 */
async function isAwaited(
  db: Db,
  { template, subjectId, copy }: Pick<JobData['sendEmail'], 'template' | 'subjectId' | 'copy'>,
): Promise<boolean> {
  if (template !== 'ready' && template !== 'receipt') return false;
  if (copy) return true;
  const guests = await db
    .selectFrom('shop_order')
    .innerJoin('subscription', 'subscription.order_id', 'shop_order.id')
    .leftJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .select('shop_order.id')
    .where(template === 'ready' ? 'subscription.id' : 'invoice.id', '=', subjectId)
    .where(eb => eb.or([eb('shop_order.made_account', '=', true), eb('subscription.is_gift', '=', true)]))
    .executeTakeFirst();
  return guests !== undefined;
}
