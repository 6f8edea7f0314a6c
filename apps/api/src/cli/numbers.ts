import { lastNumber, numberOf, skipNumbers } from '../modules/billing/index.ts';
import { type Command, readArgs, type Said, UsageError } from './command.ts';

export const numbers: Command = {
  usage: [
    {
      form: 'numbers given NUMBER [--yes]',
      does: 'After a restore from backup: issues no invoice or credit note number up to this one again, because customers have it. Lists the numbers that it does not know and asks for confirmation.',
    },
  ],
  async run({ db, ask }, [action, number = '', ...rest]) {
    if (action !== 'given') throw new UsageError('The only action is: numbers given');
    const { series, serial } = partsOf(number);
    const last = await lastNumber(db, series);
    if (serial <= last)
      return `The next number of ${series} is ${numberOf(series, last + 1)}. Nothing to do.`;
    const shown = `${numberOf(series, last + 1)} to ${number}: ${serial - last} numbers that the shop does not know. It will never issue them.`;
    if (!readArgs(rest, [], ['yes']).has('yes') && !(await ask(`${shown}\nIs that correct?`)))
      return {
        says: `${shown}\nNothing was changed. To do it without being asked: --yes`,
        bad: true,
      } as Said;
    await skipNumbers(db, series, serial);
    return `The next number of ${series} is ${numberOf(series, serial + 1)}.`;
  },
};

/** @throws UsageError */
function partsOf(number: string): { series: string; serial: number } {
  const [, series = '', serial] = /^((?:CN)?\d{4})-(\d{6,9})$/.exec(number) ?? [];
  if (!series)
    throw new UsageError(`${number || 'NUMBER'} is not a number like 2026-000123 or CN2026-000007`);
  return { series, serial: Number(serial) };
}
