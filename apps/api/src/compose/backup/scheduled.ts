import type { Logger } from 'pino';
import { addSince, copyFolder, keepNewest } from '../../adapters/backup/folder.ts';
import type { Env } from '../../env/env.ts';
import {
  alertLateBackup,
  forgetBackups,
  isDue,
  isLate,
  markCopied,
  newestBackup,
  recordBackup,
  sinceBackup,
} from '../../modules/backup/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { makeBackup } from './make-backup.ts';

/** Pause after a failure. */
const RETRY_MS = 15 * 60_000;
/** The list beside the backups is copied this often, when it has changed. */
const COPY_MS = 5 * 60_000;

export type ScheduledBackups = { run(): Promise<void>; stop(): Promise<void> };

type Deps = {
  env: Env;
  db: Db;
  clock: Clock;
  systemClock: Clock;
  log: Logger;
};

/**
 * Backups by the settings `BACKUP_…`. The scheduled task calls `run` each minute; backup and copy take longer than a task
 * may, so they run behind it. A worker without BACKUP_DIR leaves them to the others.
 */
export function createScheduledBackups(deps: Deps): ScheduledBackups {
  const { env, db, systemClock, log } = deps;
  const folder = env.BACKUP_DIR;
  if (!folder) return { run: async () => {}, stop: async () => {} };
  const stopping = new AbortController();
  const startedAt = systemClock.now();
  let working: Promise<void> | undefined;
  let problem: string | undefined;
  let mayTryAt = 0;
  let isListCopied = false;
  let copiedListAt = 0;

  async function make(now: Date): Promise<void> {
    const shopAt = deps.clock.now();
    const made = await makeBackup({
      env,
      folder: folder!,
      hasMasterKey: true,
      at: now,
      shopAt,
      signal: stopping.signal,
    });
    await recordBackup(db, { file: made.name, at: now, bytes: made.bytes });
    await addSince(folder!, await sinceBackup(db, now, true));
    await forgetBackups(db, await keepNewest(folder!, env.BACKUP_KEEP));
    log.info({ file: made.name, bytes: made.bytes }, 'backup made');
  }

  async function copy(now: Date): Promise<void> {
    await copyFolder(folder!, env.BACKUP_COPY_TO!, stopping.signal);
    await markCopied(db, now);
    isListCopied = true;
    copiedListAt = now.getTime();
  }

  async function work(now: Date, due: boolean): Promise<void> {
    try {
      if (due) await make(now);
      if (env.BACKUP_COPY_TO) await copy(now);
      problem = undefined;
    } catch (error) {
      if (stopping.signal.aborted) return;
      mayTryAt = now.getTime() + RETRY_MS;
      problem = (error as Error).message;
      log.error({ err: error }, 'backup failed');
    }
  }

  return {
    async run() {
      if (stopping.signal.aborted) return;
      const now = systemClock.now();
      const { made, copied } = await newestBackup(db);
      const due = isDue(made, env.BACKUP_EVERY, now);
      if (made && (await addSince(folder, await sinceBackup(db, now, false)))) isListCopied = false;
      const isListWaiting = !isListCopied && now.getTime() - copiedListAt >= COPY_MS;
      const mustCopy = env.BACKUP_COPY_TO && (made?.getTime() !== copied?.getTime() || isListWaiting);
      if (!working && (due || mustCopy) && now.getTime() >= mayTryAt)
        working = work(now, due).finally(() => {
          working = undefined;
        });
      const last = env.BACKUP_COPY_TO ? copied : made;
      const late = isLate(last ?? startedAt, env.BACKUP_EVERY, now);
      await alertLateBackup(db, now, { last, late, problem });
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
