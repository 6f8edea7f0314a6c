import { languageOrDefault, languages } from '@fixpoint/contract/languages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { invitationToSend } from '../team/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import { invitation } from './emails/index.ts';
import { messageIdOf, renderEmail } from './render-email.ts';

/**
 * Emails an invitation. The token of its link is made only here, and stands in the fragment, so that no queue and no log
 * has it.
 */
export function createSendInvitation(deps: {
  db: Db;
  systemClock: Clock;
  mailer: Mailer;
  publicUrl: string;
  brand: Brand;
}): (job: JobData['sendInvitation']) => Promise<void> {
  const { db, systemClock, mailer, publicUrl, brand } = deps;
  return async ({ invitationId }) => {
    const sent = await invitationToSend(db, systemClock, invitationId);
    if (!sent) return;
    const { email, role, inviter, expiresAt, token } = sent;
    const language = languageOrDefault(sent.language);
    const { t } = await loadTranslator(db, language, brand);
    const url = `${publicUrl}/#/${language}/invitation?token=${token}`;
    await mailer.send({
      messageId: messageIdOf('invitation', `${invitationId} ${expiresAt.toISOString()}`, publicUrl),
      to: email,
      ...(await renderEmail(language, { t, brand }, invitation(t, { role, inviter, url }))),
      language: languages[language].tag,
    });
  };
}
