import { openShopClock } from '../../adapters/shop-clock.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { openDatabase } from '../../database/database.ts';
import { asApplication } from '../../database/scope.ts';
import { readCommandEnv } from '../../env/env.ts';
import { createLogger } from '../../log/logger.ts';
import { finishRestore, openRestore } from '../../modules/backup/index.ts';
import { nextNumbers } from '../../modules/billing/index.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { settleRestored } from '../backup/settle-restored.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'restore'> = {
  async backup({ source, say, actor, openJobs }, { input: { file, identity, withoutList } }) {
    const begun = performance.now();
    const env = readCommandEnv(source);
    const restorable = { env, backup: { file, identity }, withoutList: withoutList === true, say };
    const { header, since, migrated, settled } = await restoreBackup(restorable, async (restored, list) => {
      const { db, close } = openDatabase(env.DATABASE_APP_URL);
      const jobs = await openJobs(env.DATABASE_APP_URL, createLogger('error'));
      try {
        const clock = await openShopClock(db, systemClock);
        return await asApplication(() => settleRestored({ db, jobs, clock, actor }, restored, list));
      } finally {
        await jobs.stop();
        await close();
      }
    });
    return {
      at: header.at,
      version: header.version,
      counts: header.counts,
      numbers: settled.numbers,
      deletedAgain: settled.deletedAgain,
      migrated,
      listAt: since?.at ?? null,
      hosts: header.counts.hosts ?? 0,
      ageSeconds: Math.round((systemClock.now().getTime() - Date.parse(header.at)) / 1000),
      seconds: Math.ceil((performance.now() - begun) / 1000),
    };
  },

  finish: {
    async plan({ db }) {
      const restored = await openRestore(db);
      if (!restored) return { nothing: 'This shop has no restore to finish.' };
      return {
        plan: {
          backupAt: restored.backup_at.toISOString(),
          restoredAt: restored.restored_at.toISOString(),
          numbers: await nextNumbers(db),
        },
      };
    },
    async execute({ db, note }, _, { backupAt, restoredAt, numbers }) {
      await finishRestore(db, systemClock.now());
      const after = Object.fromEntries(numbers.map(({ series, next }) => [series, next]));
      note({ subject: `restore of ${restoredAt}`, after });
      return { backupAt };
    },
  },
};
