import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { moveClock } from '../compose/move-clock.ts';
import { readSandbox } from '../env/env.ts';
import { createLogger } from '../log/logger.ts';
import { type Command, noMore, UsageError } from './command.ts';

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 };
/** A year with a dozen subscriptions takes a minute and a half. */
const MOST = 10 * UNITS.y;

/** `+3d` in ms. @throws UsageError */
function span(given: string): number {
  const [, count, unit] = /^\+(\d{1,4})([hdwy])$/.exec(given) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (!(ms > 0 && ms <= MOST)) throw new UsageError(`${given} is no span of time: +12h, +3d, +2w or +1y`);
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
    if (!sandbox) throw new Error('The clock is moved with the stand-in providers only.');
    const jobs = await openJobs(env.DATABASE_APP_URL, createLogger('error'));
    try {
      const stops = await moveClock({ db, clock: time, jobs, sandbox }, ms);
      return `It is ${time.now().toISOString()} in the shop, after ${stops} stops.`;
    } finally {
      await jobs.stop();
    }
  },
};
