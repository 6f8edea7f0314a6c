import { setTimeout as delay } from 'node:timers/promises';
import { changeMasterKey, prepareMasterKey } from '../adapters/master-key/change.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { reEncryptAllSecrets } from '../compose/sealed.ts';
import { type Command, noMore, UsageError } from './command.ts';

/**
 * Nodes learn of the change at once; what they encrypted just before is in the database after this
 * time.
 */
const SETTLE_MS = 10_000;

export const masterKey: Command = {
  usage: [
    {
      form: 'master-key prepare',
      does: 'Creates the next master key beside the current one. Copy the file to all nodes, then run master-key change.',
    },
    {
      form: 'master-key change',
      does: 'Re-encrypts every secret under the next master key while the shop runs. Run it again after an interruption.',
    },
  ],
  async run({ db, env, say }, args) {
    noMore(args, 1);
    const path = env.MASTER_KEY_FILE;
    if (args[0] === 'prepare') {
      const wasThere = await prepareMasterKey(db, path);
      return [
        `${path} contains the next key beside the current one${wasThere ? ' already' : ''}.`,
        'Copy it to every other machine that runs the shop. Then run:\nnpm run shop -- master-key change',
      ].join('\n');
    }
    if (args[0] !== 'change') throw new UsageError('Use: master-key prepare, or master-key change');
    const { earlier } = await changeMasterKey({
      db,
      path,
      say,
      today: systemClock.now().toISOString().slice(0, 10),
      settle: () => delay(SETTLE_MS),
      moveAll: reEncrypt => reEncryptAllSecrets(db, reEncrypt),
    });
    return [
      `Every secret is encrypted with the new key. ${path} contains only that key: copy it to your safe place and to every other machine that runs the shop.`,
      `The previous key is in ${earlier}. Backups made before today need it: move it away from this machine, store it with them, and destroy it together with the last of them.`,
    ].join('\n');
  },
};
