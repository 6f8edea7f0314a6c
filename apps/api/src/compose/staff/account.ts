import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import {
  changeEmailByStaff,
  closeAccount,
  planClosing,
  planEmailChange,
} from '../../modules/account/index.ts';
import { createBlockList, unblock } from '../../modules/block/index.ts';
import { endOrders } from '../../modules/checkout/index.ts';
import { endingWork } from '../ending-work.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'account'> = {
  close: {
    async plan({ db }, { input: { customer } }) {
      const { values, ...closing } = await planClosing(db, customer);
      const kinds = Map.groupBy(values, ({ kind }) => kind);
      return { plan: { ...closing, blocks: [...kinds].map(([kind, all]) => ({ kind, count: all.length })) } };
    },
    async execute({ db, clock, env, jobs, note }, { input: { until }, reason }, plan) {
      const { customerId, email, subscriptions, worksFor } = plan;
      const { root } = await openMasterKey(db, env.MASTER_KEY_FILE);
      const written = { clock, jobs: await jobs(), live: liveBus };
      const deps = {
        ...written,
        ...endingWork(written),
        systemClock,
        blocks: createBlockList(root),
        endOrders: endOrders.bind(undefined, { clock }),
      };
      const endsAt = until === undefined ? null : new Date(`${until}T00:00:00+07:00`);
      const blocked = await closeAccount(deps, db, customerId, { reason, endsAt });
      note({
        subject: customerId,
        customerId,
        before: { status: 'active', subscriptions: subscriptions.join(' '), worksFor: worksFor.join(' ') },
        after: { status: 'disabled', blocked, until: until ?? null },
      });
      return { customerId, email, blocked };
    },
  },

  email: {
    async plan({ db, env }, { input }) {
      const { root } = await openMasterKey(db, env.MASTER_KEY_FILE);
      const blocks = createBlockList(root);
      return { plan: await planEmailChange(db, { blocks, clock: systemClock }, input) };
    },
    async execute({ db, jobs, note }, _, plan) {
      const deps = { clock: systemClock, jobs: await jobs() };
      const holdsFrom = (await changeEmailByStaff(deps, db, plan))?.toISOString() ?? null;
      const { customerId, email, stops } = plan;
      note({ subject: customerId, customerId, before: { waiting: stops.length }, after: { holdsFrom } });
      return { customerId, email, holdsFrom };
    },
  },

  async unblock({ db, note }, { input: { customer } }) {
    const removed = await unblock(db, customer);
    if (removed === 0) throw new InvalidInput(`Nothing of ${customer} is on the block list.`);
    note({ subject: customer, customerId: customer, before: { blocked: removed }, after: { blocked: 0 } });
    return { customerId: customer, removed };
  },
};
