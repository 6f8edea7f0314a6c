import { listEntries, listReads, verifyChain } from '../../modules/audit/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'audit'> = {
  async list({ db }, { input }) {
    const entries = await listEntries(db, input);
    return {
      entries: entries.map(({ seq, at, detail, detail_hash, ...entry }) => ({
        ...entry,
        seq: Number(seq),
        at: at.toISOString(),
        detail,
        erased: detail_hash !== null && detail === null,
      })),
    };
  },
  async reads({ db }, { input: { customer, limit } }) {
    const reads = await listReads(db, customer, limit);
    return { reads: reads.map(({ at, ...read }) => ({ at: at.toISOString(), ...read })) };
  },

  verify: ({ db }, { input: { head } }) => verifyChain(db, head),
};
