import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { createBlockList, removeBlock } from '../../modules/block/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'block'> = {
  async list({ db, env }, { input: { about, limit } }) {
    const { root } = await openMasterKey(db, env.MASTER_KEY_FILE);
    const entries = await createBlockList(root).list(db, about, limit);
    return {
      entries: entries.map(({ customer_id, created_at, ends_at, ...entry }) => ({
        ...entry,
        customerId: customer_id,
        since: created_at.toISOString(),
        until: ends_at?.toISOString() ?? null,
      })),
    };
  },

  async remove({ db, note }, { input: { entry } }) {
    const removed = await removeBlock(db, entry);
    if (!removed) throw new InvalidInput(`The block list has no entry ${entry}.`);
    const { kind, customer_id: customerId } = removed;
    note({ subject: entry, customerId, before: { kind, customerId } });
    return { entry, kind, customerId };
  },
};
