import { liveBus } from '../../adapters/postgres-bus.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { giveDays, planDays } from '../../modules/subscription/index.ts';
import type { Db } from '../../ports/database.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'days'> = {
  give: {
    async plan({ db, clock }, { input: { to, days } }) {
      const { given, skipped } = await planDays(db, clock.now(), await subscriptionsOf(db, to), days);
      const whySkipped = skipped.map(({ id, why }) => ({ subscription: id, why }));
      if (given.length === 0)
        return {
          nothing: `Nobody is given days. ${whySkipped.map(each => `${each.subscription}: ${each.why}`).join(', ')}`,
        };
      return {
        plan: {
          days,
          given: given.map(({ id, customerId, from, until }) => ({
            subscription: id,
            customerId,
            from: from.toISOString(),
            until: until.toISOString(),
          })),
          skipped: whySkipped,
        },
      };
    },
    async execute({ db, clock, jobs, note }, { input: { to, days } }, { given, skipped }) {
      const deps = { clock, jobs: await jobs(), live: liveBus };
      const ends = given.map(({ subscription: id, until }) => ({ id, until: new Date(until) }));
      await giveDays(deps, db, ends, days);
      const ofEach = [...Map.groupBy(given, ({ customerId: id }) => id)];
      const customerId = ofEach.length > 1 ? undefined : ofEach[0]?.[0];
      // An email address is no subject: the audit log names no person.
      const subject = customerId && !to.startsWith('sub_') ? customerId : to;
      const facts = (of: typeof given) => ({
        days,
        subscriptions: of.map(({ subscription }) => subscription).join(' '),
      });
      const customers = customerId ? [] : ofEach.map(([id, of]) => ({ id, after: facts(of) }));
      note({ subject, customerId, after: facts(given), customers });
      return { days, given: given.length, skipped };
    },
  },
};

/** A subscription, those of a customer, or those on a host. @throws InvalidInput where there is none */
async function subscriptionsOf(db: Db, to: string): Promise<string[]> {
  const found = to.startsWith('sub_')
    ? db.selectFrom('subscription').select('id').where('id', '=', to)
    : to.includes('@') || to.startsWith('cus_')
      ? db
          .selectFrom('subscription')
          .innerJoin('customer', 'customer.id', 'subscription.customer_id')
          .select('subscription.id')
          .where(to.includes('@') ? 'customer.email' : 'customer.id', '=', to.toLowerCase())
          .where('subscription.status', '<>', 'expired')
      : db
          .selectFrom('assignment')
          .select('subscription_id as id')
          .where('host_id', '=', to)
          .where('status', '<>', 'leaving');
  const rows = await found.execute();
  if (rows.length === 0) throw new InvalidInput(`${to} has no subscription.`);
  return rows.map(({ id }) => id);
}
