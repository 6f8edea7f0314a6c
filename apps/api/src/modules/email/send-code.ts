import { isLanguage, languages } from '@fixpoint/contract/languages.ts';
import type { JobData } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { type CodeDeps, makeCode } from '../account/index.ts';
import type { EmailContent } from './email-content.ts';
import { type Brand, emailId, emailVoice, writeEmail } from './render-email.ts';

/**
 * Makes the code of a challenge and emails it. Nobody is written to when nobody has the address (a reset), and the owner
 * of an address that is known already gets another email (a sign-up where the operator hides that).
 */
export function createSendCode(
  deps: CodeDeps & { mailer: Mailer; publicUrl: string; brand: Brand },
): (job: JobData['sendCode']) => Promise<void> {
  const { db, clock, mailer, publicUrl, brand } = deps;
  return async ({ challengeId }) => {
    const challenge = await db
      .selectFrom('challenge')
      .leftJoin('customer', 'customer.id', 'challenge.customer_id')
      .select(['challenge.purpose', 'challenge.email', 'challenge.customer_id', 'customer.status'])
      .select(eb => eb.fn.coalesce('customer.language', 'challenge.language').as('language'))
      .where('challenge.id', '=', challengeId)
      .where('challenge.used_at', 'is', null)
      .where('challenge.expires_at', '>', clock.now())
      .executeTakeFirst();
    if (!challenge) return;
    const known = challenge.customer_id !== null;
    if (!known && challenge.purpose !== 'signUp') return;
    // A code that was asked for before the account ended, or again after it.
    if (known && challenge.status !== 'active') return;

    const language = isLanguage(challenge.language) ? challenge.language : 'en';
    const { t } = await emailVoice(db, language, brand);
    const content: EmailContent =
      known && challenge.purpose === 'signUp'
        ? {
            subject: t('accountExists.subject'),
            preview: t('accountExists.preview'),
            paragraphs: [t('accountExists.body')],
            action: { label: t('accountExists.action'), url: `${publicUrl}/#/${language}/auth/login` },
          }
        : await codeEmail(challenge.purpose);
    await mailer.send({
      messageId: emailId('code', challengeId, publicUrl),
      to: challenge.email,
      ...(await writeEmail(language, { t, brand }, content)),
      language: languages[language].tag,
    });

    async function codeEmail(purpose: string): Promise<EmailContent> {
      const code = await makeCode(deps, challengeId);
      return {
        // The code stands first in the subject: a phone shows it without opening the email.
        subject: t('code.subject', { code }),
        preview: t('code.preview'),
        paragraphs: [t(`code.${purpose}`)],
        code,
        notes: [t('code.note')],
      };
    }
  };
}
