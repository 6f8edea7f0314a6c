import { readinessWarnings } from '../compose/readiness.ts';
import { readProviderEnv } from '../env/env.ts';
import { type Command, noMore } from './command.ts';

export const ready: Command = {
  usage: [
    {
      form: 'ready',
      does: 'Lists what the shop lacks before its first sale, and what to do about it. Exits with 1 when something is missing.',
    },
  ],
  async run({ db, env, source }, args) {
    noMore(args, 0);
    const lacks = await readinessWarnings(db, { ...env, ...readProviderEnv(source) });
    return lacks.length > 0
      ? { says: lacks.join('\n'), bad: true }
      : 'Nothing is missing: the shop can sell.';
  },
};
