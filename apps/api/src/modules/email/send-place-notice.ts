import { languageOrDefault, languages } from '@fixpoint/contract/languages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { forgetPlaceNotice, placeNoticeToSend } from '../catalog/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import { confirmPlaceNotice, placeFree } from './emails/index.ts';
import { messageIdOf, renderEmail } from './render-email.ts';

/**
 * Emails somebody who waits for a place: first to confirm their address, then once when the place can be bought. The token is
 * made only here, and stands in the fragment, so that no queue and no log has it.
 */
export function createSendPlaceNotice(deps: {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  publicUrl: string;
  brand: Brand;
}): (job: JobData['sendPlaceNotice']) => Promise<void> {
  const { db, clock, mailer, publicUrl, brand } = deps;
  return async ({ noticeId }) => {
    const notice = await placeNoticeToSend(db, clock.now(), noticeId);
    if (!notice) return;
    const { email, regionId, name, asked } = notice;
    const token = 'token' in notice ? notice.token : undefined;
    const language = languageOrDefault(notice.language);
    const { t, nameOf } = await loadTranslator(db, language, brand);
    const place = nameOf('region', regionId) ?? name;
    const pageAt = (path: string) => `${publicUrl}/#/${language}/${path}`;
    const content = token
      ? confirmPlaceNotice(t, { place, url: pageAt(`place-notice?token=${token}`) })
      : placeFree(t, { place, url: pageAt('get-started') });
    await mailer.send({
      messageId: messageIdOf('placeNotice', `${noticeId} ${token ? asked : 'free'}`, publicUrl),
      to: email,
      ...(await renderEmail(language, { t, brand }, content)),
      language: languages[language].tag,
    });
    if (!token) await forgetPlaceNotice(db, noticeId);
  };
}
