import { endsWith, goesOn } from '@fixpoint/domain/key/file-end.ts';
import type { Db } from '../../ports/database.ts';
import { newestFiles } from '../key/index.ts';
import { stateOf } from '../subscription/index.ts';
import type { EmailContent } from './email-content.ts';
import { type SubscriptionWriter, subscriptionFacts } from './subscription-facts.ts';

/** Emails about devices. A file and what is in it stay where its owner is logged in: an email holds no secret. */
export function keyEmails(db: Db) {
  return {
    async keyAdded(w: SubscriptionWriter): Promise<EmailContent | undefined> {
      const key = await db
        .selectFrom('vpn_key')
        .select(['name', 'label', 'subscription_id as subscriptionId'])
        .where('id', '=', w.subjectId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      const found = key && (await subscriptionFacts(db, { ...w, subjectId: key.subscriptionId }));
      if (!found) return undefined;
      const said = { ...found.said, device: key.label ?? key.name };
      return {
        subject: w.t('keyAdded.subject'),
        preview: w.t('keyAdded.preview'),
        paragraphs: [w.t('keyAdded.body', said), w.t('keyAdded.note')],
        action: {
          label: w.t('ready.action'),
          url: w.pageAt(`management/subscription/${key.subscriptionId}`),
        },
      };
    },

    /** Files of devices end soon: those that end from the day on that `copy` names. A new one meanwhile needs no email. */
    async fileExpiring(w: SubscriptionWriter): Promise<EmailContent | undefined> {
      const from = new Date(w.copy!);
      const newest = await newestFiles(db, w.subjectId);
      const files = newest.filter(({ until }) => endsWith(from, until));
      const found = files[0] && (await subscriptionFacts(db, w));
      if (!found || !goesOn(stateOf(found.row), files[0]!.until)) return undefined;
      const said = { ...found.said, date: found.day(files[0]!.until) };
      return {
        subject: w.t('fileExpiring.subject', said),
        preview: w.t('fileExpiring.preview'),
        paragraphs: [w.t('fileExpiring.body', said)],
        rows: files.map(({ label, name, until }) => ({ label: label ?? name, value: found.day(until) })),
        action: { label: w.t('ready.action'), url: w.pageUrl },
        notes: [w.t('fileExpiring.note')],
      };
    },
  };
}
