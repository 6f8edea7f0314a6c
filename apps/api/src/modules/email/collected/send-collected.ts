import type { EmailTemplate, JobData } from '../../../ports/jobs.ts';
import type { WrittenEmail } from '../define-email.ts';
import { createContextOf, type EmailDeps, type Recipient, recipientOf } from '../email-context.ts';
import type { CollectedKind } from '../email-line.ts';
import { emails } from '../emails/index.ts';
import { sendContent } from '../send-content.ts';
import { emailsTogether } from './emails-together.ts';

/**
 * Writes and sends the emails that leave together; one that is alone by then is sent as if it had never waited. The founder's
 * job has each other buyer of the customer get the same ones, by a job of their own and in their language.
 */
export function createSendCollected(deps: EmailDeps): (job: JobData['sendCollected']) => Promise<void> {
  const { db, clock, jobs } = deps;
  return async ({ customerId, batch, userId }) => {
    const collected = await db
      .selectFrom('collected_email')
      .select(['kind', 'template', 'subject_id as subjectId', 'copy'])
      .where('batch', '=', batch)
      .$if(!userId, founders => founders.where('sent_at', 'is', null))
      .orderBy('id')
      .execute();
    const [first] = collected;
    if (!first) return;
    const isToBuyers = emails[first.template as EmailTemplate].audience === 'buyers';
    const about = { toEndedAccounts: true, toUser: !isToBuyers };
    const recipient = await recipientOf(deps, { customerId, userId, ...about });
    if (recipient && (userId || !isToBuyers || recipient.founderBuys))
      await sendTogether(deps, recipient, { batch, userId, collected });
    if (userId) return;
    for (const { template, subjectId } of recipient ? collected : [])
      await deps.accepted({ template: template as EmailTemplate, subjectId });
    await db.transaction().execute(async tx => {
      if (recipient && isToBuyers) {
        const others = recipient.otherBuyers.map(other => ({ customerId, batch, userId: other }));
        await jobs.enqueueAll(tx, 'sendCollected', others);
      }
      await tx
        .updateTable('collected_email')
        .set({ sent_at: clock.now() })
        .where('batch', '=', batch)
        .execute();
    });
  };
}

type Collected = { kind: string; template: string; subjectId: string; copy: string };

/** Sends what was collected to one recipient. @param of.userId another user than the founder */
async function sendTogether(
  deps: EmailDeps,
  recipient: Recipient,
  { batch, userId, collected }: { batch: string; userId: string | undefined; collected: Collected[] },
): Promise<void> {
  const due = recipient.hasEnded
    ? collected.filter(({ template }) => emails[template as EmailTemplate].toEndedAccounts)
    : collected;
  const contextFor = await createContextOf(deps)(recipient);
  const written: (WrittenEmail & { about: string[] })[] = [];
  const whom = userId ? [userId] : [];
  for (const { template, subjectId, copy } of newestOfEach(due)) {
    const email = await emails[template as EmailTemplate].write(
      contextFor({ subjectId, copy: copy || undefined }),
    );
    if (email) written.push({ ...email, about: [template, subjectId, copy, ...whom] });
  }
  const [first] = written;
  if (!first) return;
  const context = contextFor({ subjectId: recipient.customerId });
  const isAlone = written.length === 1;
  await sendContent(deps, context, recipient.email, {
    about: isAlone ? first.about : ['collected', batch, ...whom],
    parts: written.map(({ about }) => about),
    content: isAlone ? first.content : emailsTogether(context, due[0]!.kind as CollectedKind, written),
    attachments: written.flatMap(({ attachments }) => attachments),
  });
}

/** Of several about the same subject the newest: it says what holds now. */
const newestOfEach = <One extends { template: string; subjectId: string }>(all: readonly One[]): One[] => [
  ...new Map(all.map(one => [`${one.template} ${one.subjectId}`, one])).values(),
];
