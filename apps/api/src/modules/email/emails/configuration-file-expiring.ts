import { expiresWith, keepsServing } from '@fixpoint/domain/key/file-end.ts';
import { newestFiles } from '../../key/index.ts';
import { stateOf } from '../../subscription/index.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/**
 * Sent before configuration files of devices expire, to each user those of their own devices, which nobody else can download:
 * those whose end begins with the day in `copy`. Not sent once each of them has a newer file, or the subscription ends before they do.
 */
export const configurationFileExpiring = defineEmail({
  name: 'fileExpiring',
  audience: 'user',
  together: { kind: 'fileExpiring', pace: 'day' },
  async load(context) {
    const from = new Date(context.copy!);
    const newest = await newestFiles(context.db, context.subjectId);
    const files = newest.filter(({ until, userId }) => expiresWith(from, until) && userId === context.userId);
    const [first] = files;
    const facts = first && (await subscriptionFacts(context));
    return facts && keepsServing(stateOf(facts.row), first.until) ? { ...facts, files, first } : undefined;
  },
  about: ({ values }) => values,
  content(context, { values: common, day, files, first }) {
    const { t } = context;
    const values = { ...common, date: day(first.until) };
    return {
      subject: t('fileExpiring.subject', values),
      preview: t('fileExpiring.preview'),
      paragraphs: [t('fileExpiring.body', values)],
      rows: files.map(({ label, name, until }) => ({ label: label ?? name, value: day(until) })),
      action: toSubscription(context),
      notes: [t('fileExpiring.note')],
    };
  },
});
