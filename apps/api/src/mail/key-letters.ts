import type { Db } from '../ports/database.ts';
import type { LetterContent } from './letter-content.ts';
import { type SubscriptionWriter, subscriptionFacts } from './subscription-facts.ts';

/** A device was added. Its file and what is in it stay where its owner is logged in: a letter holds no secret. */
export function keyLetters(db: Db) {
  return {
    async keyAdded(w: SubscriptionWriter): Promise<LetterContent | undefined> {
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
  };
}
