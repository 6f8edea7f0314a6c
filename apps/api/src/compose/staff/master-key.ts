import { setTimeout as delay } from 'node:timers/promises';
import { changeMasterKey, prepareMasterKey } from '../../adapters/master-key/change.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { reEncryptAllSecrets } from '../sealed.ts';
import type { HandlersOf } from './handler.ts';

/**
 * Nodes learn of the change at once; what they encrypted just before is in the database after this
 * time.
 */
const SETTLE_MS = 10_000;

export const handlers: HandlersOf<'master-key'> = {
  async prepare({ db, env, note }) {
    const file = env.MASTER_KEY_FILE;
    const wasThere = await prepareMasterKey(db, file);
    note({ subject: 'master key' });
    return { file, wasThere };
  },

  async change({ db, env, say, note }) {
    const path = env.MASTER_KEY_FILE;
    note({ subject: 'master key' });
    const { earlier } = await changeMasterKey({
      db,
      path,
      say,
      today: systemClock.now().toISOString().slice(0, 10),
      settle: () => delay(SETTLE_MS),
      moveAll: reEncrypt => reEncryptAllSecrets(db, reEncrypt),
    });
    return { file: path, earlier };
  },
};
