import { setTimeout as delay } from 'node:timers/promises';
import { changeMasterKey, prepareMasterKey } from '../adapters/master-key/change.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { moveAllSecrets } from '../compose/sealed.ts';
import { type Command, noMore, UsageError } from './command.ts';

/** A node hears of the change at once; what it sealed just before is in the database after so many ms. */
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
        `${path} has the next key beside the present one${wasThere ? ' already' : ''}.`,
        'Copy it to every other machine that runs the shop; then: npm run shop -- master-key change',
      ].join('\n');
    }
    if (args[0] !== 'change') throw new UsageError('master-key prepare, or change?');
    const { earlier } = await changeMasterKey({
      db,
      path,
      say,
      today: systemClock.now().toISOString().slice(0, 10),
      settle: () => delay(SETTLE_MS),
      moveAll: reEncrypt => moveAllSecrets(db, reEncrypt),
    });
    return [
      `Every secret is sealed with the new key, which ${path} holds alone: copy it to your safe place, and to every other machine that runs the shop.`,
      `The earlier key is in ${earlier}. Backups of before today open with it alone: keep it with them, away from this machine, and destroy it with the last of them.`,
    ].join('\n');
  },
};
