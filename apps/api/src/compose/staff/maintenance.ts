import { liveBus } from '../../adapters/postgres-bus.ts';
import { setMaintenance } from '../../modules/text/index.ts';
import type { HandlersOf, Work } from './handler.ts';

async function set<On extends boolean>({ db, note }: Work, maintenance: On): Promise<{ maintenance: On }> {
  await setMaintenance(db, liveBus, maintenance);
  note({ subject: 'maintenance', after: { maintenance } });
  return { maintenance };
}

export const handlers: HandlersOf<'maintenance'> = {
  on: {
    plan: async () => ({ plan: { maintenance: true } }),
    execute: work => set(work, true),
  },
  off: work => set(work, false),
};
