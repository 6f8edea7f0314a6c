import { liveBus } from '../../adapters/postgres-bus.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { disputeEvidence, openDisputes } from '../../modules/payment/index.ts';
import { ownerOf } from '../../modules/staff/index.ts';
import { liftSuspension } from '../../modules/subscription/index.ts';
import { keptText } from '../../modules/text/index.ts';
import { evidenceText } from './evidence-text.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'dispute'> = {
  async list({ db }) {
    const disputes = await openDisputes(db);
    return {
      disputes: disputes.map(({ answerBy, subscriptions, ...dispute }) => ({
        ...dispute,
        subscriptions: [...subscriptions],
        answerBy: answerBy?.toISOString() ?? null,
      })),
    };
  },

  async evidence({ db }, { input: { dispute } }) {
    const known = await disputeEvidence(db, dispute);
    if (!known) throw new InvalidInput(`There is no dispute ${dispute} of a payment of this shop.`);
    const { termsVersion, language } = known.order ?? {};
    const terms = termsVersion && (await keptText(db, 'terms', termsVersion, language ?? ''));
    return { name: `${dispute}.txt`, content: evidenceText(known, terms || undefined) };
  },

  async restore({ db, clock, jobs, note }, { input: { subscription } }) {
    if ((await openDisputes(db)).some(({ subscriptions }) => subscriptions.includes(subscription)))
      throw new InvalidInput(`A payment of ${subscription} is still disputed: it would be suspended again.`);
    const deps = { clock, jobs: await jobs(), live: liveBus };
    const open = await liftSuspension(deps, db, subscription, { cause: 'dispute', byStaff: true });
    if (!open) throw new InvalidInput(`There is no subscription ${subscription}.`);
    const customerId = await ownerOf(db, subscription);
    note({ subject: subscription, customerId, after: { lifted: 'dispute', open: open.join(' ') } });
    return { subscription, open };
  },
};
