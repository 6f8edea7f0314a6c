import type { EmailTemplate, JobData } from '../../../ports/jobs.ts';
import type { WrittenEmail } from '../define-email.ts';
import { createContextOf, type EmailDeps, recipientOf } from '../email-context.ts';
import type { CollectedKind } from '../email-line.ts';
import { emails } from '../emails/index.ts';
import { sendContent } from '../send-content.ts';
import { emailsTogether } from './emails-together.ts';

/** Writes and sends the emails that leave together; one that is alone by then is sent as if it had never waited. */
export function createSendCollected(deps: EmailDeps): (job: JobData['sendCollected']) => Promise<void> {
  const { db, clock } = deps;
  const contextOf = createContextOf(deps);
  return async ({ customerId, batch }) => {
    const waiting = await db
      .selectFrom('collected_email')
      .select(['kind', 'template', 'subject_id as subjectId', 'copy'])
      .where('batch', '=', batch)
      .where('sent_at', 'is', null)
      .orderBy('id')
      .execute();
    const recipient = await recipientOf(deps, { customerId, toEndedAccounts: true });
    const due = recipient?.hasEnded
      ? waiting.filter(({ template }) => emails[template as EmailTemplate].toEndedAccounts)
      : waiting;
    if (recipient && due.length > 0) {
      const contextFor = await contextOf(recipient);
      const written: (WrittenEmail & { about: string[] })[] = [];
      for (const { template, subjectId, copy } of newestOfEach(due)) {
        const email = await emails[template as EmailTemplate].write(
          contextFor({ subjectId, copy: copy || undefined }),
        );
        if (email) written.push({ ...email, about: [template, subjectId, copy] });
      }
      const [first] = written;
      const context = contextFor({ subjectId: customerId });
      if (first) {
        const isAlone = written.length === 1;
        await sendContent(deps, context, recipient.email, {
          about: isAlone ? first.about : ['collected', batch],
          parts: written.map(({ about }) => about),
          content: isAlone ? first.content : emailsTogether(context, due[0]!.kind as CollectedKind, written),
          attachments: written.flatMap(({ attachments }) => attachments),
        });
      }
    }
    if (recipient) {
      for (const { template, subjectId } of waiting) {
        await deps.accepted({ template: template as EmailTemplate, subjectId });
      }
    }
    await db
      .updateTable('collected_email')
      .set({ sent_at: clock.now() })
      .where('batch', '=', batch)
      .execute();
  };
}

/** Of several about the same subject the newest: it says what holds now. */
const newestOfEach = <One extends { template: string; subjectId: string }>(all: readonly One[]): One[] => [
  ...new Map(all.map(one => [`${one.template} ${one.subjectId}`, one])).values(),
];
