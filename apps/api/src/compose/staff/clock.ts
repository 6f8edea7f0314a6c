import { openShopClock } from '../../adapters/shop-clock.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { readSandbox } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { advanceClock } from '../advance-clock.ts';
import type { HandlersOf } from './handler.ts';

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 };
/** Advancing a year with a dozen subscriptions takes a minute and a half. */
const MOST = 10 * UNITS.y;

/** Parses `+3d` to milliseconds. @throws InvalidInput */
function milliseconds(given: string): number {
  const [, count, unit] = /^\+(\d{1,4})([hdwy])$/.exec(given) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (!(ms > 0 && ms <= MOST)) throw new InvalidInput(`${given} is not a duration: +12h, +3d, +2w or +1y`);
  return ms;
}

export const handlers: HandlersOf<'clock'> = {
  show: async ({ clock }) => ({ now: clock.now().toISOString() }),

  async advance({ db, source, jobs, note }, { input: { span } }) {
    const ms = milliseconds(span);
    const sandbox = readSandbox(source);
    if (!sandbox) throw new InvalidInput('Only a shop with sandbox providers can advance its clock.');
    const clock = await openShopClock(db, systemClock);
    const stops = await advanceClock({ db, clock, jobs: await jobs(), sandbox }, ms);
    note({ subject: 'clock', after: { span, stops } });
    return { now: clock.now().toISOString(), stops };
  },
};
