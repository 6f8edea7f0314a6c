import { resolve } from 'node:path';
import { addSince } from '../../adapters/backup/folder.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { backups, isLate, recordBackup, sinceBackup } from '../../modules/backup/index.ts';
import { makeBackup } from '../backup/make-backup.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'backup'> = {
  async make({ db, env, clock, note }, { input: { to, withoutMasterKey } }) {
    const given = to ?? env.BACKUP_DIR;
    if (given === undefined) throw new InvalidInput('Name a folder with --to, or set BACKUP_DIR.');
    const folder = resolve(given);
    const isCounted = env.BACKUP_DIR !== undefined && folder === resolve(env.BACKUP_DIR);
    const hasMasterKey = !withoutMasterKey;
    if (isCounted && !hasMasterKey)
      throw new InvalidInput(
        'A backup without the master key does not count: in BACKUP_DIR it would silence alerts, and good backups would be deleted for it. Name another folder with --to.',
      );
    const at = systemClock.now();
    const made = await makeBackup({ env, folder, hasMasterKey, at, shopAt: clock.now() });
    await addSince(folder, await sinceBackup(db, at, true));
    if (isCounted) await recordBackup(db, { file: made.name, at, bytes: made.bytes });
    note({ subject: made.name });
    const { file, bytes, counts } = made;
    return { file, bytes, at: at.toISOString(), hasMasterKey: made.hasMasterKey, counts };
  },

  async list({ db, env }) {
    const all = await backups(db);
    const [newest] = all;
    return {
      backups: all.map(({ file, made_at, bytes, copied_at }) => ({
        file,
        at: made_at.toISOString(),
        bytes,
        copiedAt: copied_at?.toISOString() ?? null,
      })),
      late: !newest || isLate(newest.made_at, env.BACKUP_EVERY, systemClock.now()),
    };
  },
};
