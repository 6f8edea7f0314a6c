import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { createPostgresLimits } from '../../adapters/postgres-limits.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { activeAccount, liftWaits, waitsOf } from '../../modules/account/index.ts';
import { cardCounterOf } from '../../modules/payment/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'limits'> = {
  async lift({ db, env, note }, { input: { customer } }) {
    const { id, email } = await activeAccount(db, customer);
    const { root } = await openMasterKey(db, env.MASTER_KEY_FILE);
    const limits = createPostgresLimits(db, systemClock, root);
    const counters = { ...waitsOf({ id, email }), 'declined cards': cardCounterOf(id) };
    const lifted = await liftWaits(limits, counters);
    note({ subject: id, customerId: id, before: { waits: lifted.join(', ') } });
    return { customerId: id, email, lifted };
  },
};
