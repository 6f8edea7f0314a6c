import { liveBus } from '../../adapters/postgres-bus.ts';
import { announcePrice, countAffected } from '../../modules/subscription/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'reprice'> = {
  announce: {
    async plan({ db }, { input }) {
      const affected = await countAffected(db, { planId: input.plan });
      if (affected === 0)
        return {
          nothing: 'Nothing to change: no renewal is affected, or all customers were notified already.',
        };
      return { plan: { affected } };
    },
    async execute({ db, clock, jobs, note }, { input }) {
      const deps = { db, clock, jobs: await jobs(), live: liveBus };
      const notified = await announcePrice(deps, { planId: input.plan }, startOf(input.from));
      note({ subject: input.plan, after: { from: input.from, notified } });
      return { notified };
    },
  },
};

/** The start of a day in Bangkok. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00+07:00`);
