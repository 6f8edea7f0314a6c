import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { advanceClock } from '../compose/advance-clock.ts';
import { readSandbox } from '../env/env.ts';
import { createLogger } from '../log/logger.ts';
import { type Command, noMore, UsageError } from './command.ts';

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 };
/** Advancing a year with a dozen subscriptions takes a minute and a half. */
const MOST = 10 * UNITS.y;

/** Parses `+3d` to milliseconds. @throws UsageError */
function span(given: string): number {
  const [, count, unit] = /^\+(\d{1,4})([hdwy])$/.exec(given) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (!(ms > 0 && ms <= MOST)) throw new UsageError(`${given} is not a duration: +12h, +3d, +2w or +1y`);
  return ms;
}

export const clock: Command = {
  usage: [
    { form: 'clock', does: 'Prints the time of the shop clock.' },
    {
      form: 'clock +3d',
      does: 'Advances the shop clock (h, d, w or y) and runs everything that becomes due. Sandbox only.',
    },
  ],
  async run({ db, env, source, openJobs }, args) {
    noMore(args, 1);
    const time = await openShopClock(db, systemClock);
    const [given] = args;
    if (given === undefined) return time.now().toISOString();
    const ms = span(given);
    const sandbox = readSandbox(source);
    if (!sandbox) throw new Error('Only a shop with sandbox providers can advance its clock.');
    const jobs = await openJobs(env.DATABASE_APP_URL, createLogger('error'));
    try {
      const stops = await advanceClock({ db, clock: time, jobs, sandbox }, ms);
      return `The shop clock shows ${time.now().toISOString()}, after ${stops} stops.`;
    } finally {
      await jobs.stop();
    }
  },
};
