import { languageOrDefault, languages } from '@fixpoint/contract/languages.ts';
import type { JobData } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { type CodeDeps, holderOf, makeCode } from '../account/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import { accountExists, emailUsed, oneTimeCode } from './emails/index.ts';
import { messageIdOf, renderEmail } from './render-email.ts';
import { recordSent } from './sent-emails.ts';

/**
 * Makes the code of a challenge and emails it. Sends nothing when nobody has the address (a reset), and another email to the
 * owner of a registered address (a sign-up where the operator hides that, a change of an address).
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
    // The account has ended, before or after the code was asked for.
    if (known && challenge.status !== 'active') return;
    const holder = challenge.purpose === 'changeEmail' ? await holderOf(db, challenge.email) : undefined;

    const language = languageOrDefault(challenge.language);
    const { t } = await loadTranslator(db, language, brand);
    const loginUrl = `${publicUrl}/#/${language}/auth/login`;
    const content = holder
      ? emailUsed(t, loginUrl)
      : known && challenge.purpose === 'signUp'
        ? accountExists(t, loginUrl)
        : oneTimeCode(t, { code: await makeCode(deps, challengeId), purpose: challenge.purpose });
    const messageId = messageIdOf('code', challengeId, publicUrl);
    await mailer.send({
      messageId,
      to: challenge.email,
      ...(await renderEmail(language, { t, brand }, content)),
      language: languages[language].tag,
    });
    if (challenge.customer_id)
      await recordSent(db, clock.now(), challenge.customer_id, [
        { messageId, template: 'code', subjectId: challengeId },
      ]);
  };
}
