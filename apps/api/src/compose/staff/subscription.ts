import { liveBus } from '../../adapters/postgres-bus.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { liftSuspension, openSuspensions, suspend } from '../../modules/subscription/index.ts';
import type { HandlersOf, Work } from './handler.ts';

export const handlers: HandlersOf<'subscription'> = {
  suspend: {
    async plan({ db }, { input: { subscription, cause } }) {
      const { customer_id: customerId, status, period_end } = await subscriptionOf(db, subscription);
      if (status === 'expired') throw new InvalidInput(`${subscription} has ended.`);
      const open = (await openSuspensions(db, subscription)).map(each => each.cause);
      if (open.includes(cause)) return { nothing: `${subscription} is suspended for ${cause} already.` };
      const periodEnd = period_end?.toISOString() ?? null;
      return { plan: { subscription, customerId, status, periodEnd, open } };
    },
    async execute({ db, clock, jobs, note }, { input: { subscription, cause }, reason }, plan) {
      const deps = { clock, jobs: await jobs(), live: liveBus };
      await suspend(deps, db, subscription, { cause, reason });
      const before = { open: plan.open.join(' ') };
      note({ subject: subscription, customerId: plan.customerId, before, after: { suspended: cause } });
      return { subscription, cause };
    },
  },

  async restore({ db, clock, jobs, note }, { input: { subscription, cause: given } }) {
    const { customer_id: customerId, suspended } = await subscriptionOf(db, subscription);
    const causes = (await openSuspensions(db, subscription)).map(({ cause }) => cause);
    // One that was suspended by a version before causes were stored.
    const open = causes.length === 0 && suspended ? (['dispute'] as const) : causes;
    const [only, ...more] = given ? open.filter(cause => cause === given) : open;
    if (!only)
      throw new InvalidInput(
        `${subscription} is not suspended${given && open.length > 0 ? ` for ${given}` : ''}.`,
      );
    if (more.length > 0) throw new InvalidInput(`Name one cause with --cause: ${open.join(', ')}`);
    const deps = { clock, jobs: await jobs(), live: liveBus };
    const left = (await liftSuspension(deps, db, subscription, { cause: only, byStaff: true }))!;
    const before = { open: open.join(' ') };
    note({ subject: subscription, customerId, before, after: { open: left.join(' ') } });
    return { subscription, lifted: only, open: left };
  },
};

async function subscriptionOf(db: Work['db'], id: string) {
  const row = await db
    .selectFrom('subscription')
    .select(['customer_id', 'status', 'suspended', 'period_end'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new InvalidInput(`There is no subscription ${id}.`);
  return row;
}
