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
    const { template, subjectId, copy } = job;
    const { together, toEndedAccounts, write } = emails[template];
    const recipient = await recipientOf(deps, { ...job, toEndedAccounts });
    if (!recipient) return;
    if (together && job.customerId && (together.always || recipient.hasOthers)) {
      return collectEmail(deps, { ...job, customerId: job.customerId }, together);
    }
    const context = (await contextOf(recipient))(job);
    const written = await write(context);
    if (!written) return;
    await sendContent(deps, context, recipient.email, {
      about: [template, subjectId, copy ?? ''],
      ...written,
    });
  };
}
