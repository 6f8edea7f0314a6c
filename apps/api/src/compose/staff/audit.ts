import { listEntries, verifyChain } from '../../modules/audit/index.ts';
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
  verify: ({ db }, { input: { head } }) => verifyChain(db, head),
};
