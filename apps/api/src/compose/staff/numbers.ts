import { lastNumber, numberOf, skipNumbers } from '../../modules/billing/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'numbers'> = {
  given: {
    async plan({ db }, { input: { number } }) {
      const { series, serial } = partsOf(number);
      const last = await lastNumber(db, series);
      if (serial <= last)
        return { nothing: `The next number of ${series} is ${numberOf(series, last + 1)}. Nothing to do.` };
      return { plan: { from: numberOf(series, last + 1), to: number, count: serial - last } };
    },
    async execute({ db, note }, { input: { number } }, { from, to }) {
      const { series, serial } = partsOf(number);
      await skipNumbers(db, series, serial);
      note({ subject: series, after: { from, to } });
      return { series, next: numberOf(series, serial + 1) };
    },
  },
};

function partsOf(number: string): { series: string; serial: number } {
  const cut = number.lastIndexOf('-');
  return { series: number.slice(0, cut), serial: Number(number.slice(cut + 1)) };
}
