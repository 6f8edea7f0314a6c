import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { liveBus } from '../adapters/postgres-bus.ts';
import { announcePrice, countAffected } from '../modules/subscription/index.ts';
import { type Command, readArgs, type Said, UsageError, withJobs } from './command.ts';

export const reprice: Command = {
  usage: [
    {
      form: 'reprice PLAN --from 2027-03-01 [--yes]',
      does: 'Moves existing subscribers of a plan to the current catalogue price at their first renewal from that day on, at least 30 days after the email. Shows how many are affected, asks for confirmation, and emails each of them.',
    },
  ],
  async run(context, [first, ...rest]) {
    if (first === '--vat') throw new Error(vatElsewhere(context.env.SALE_COUNTRY, rest));
    if (!first || first.startsWith('--')) throw new UsageError('PLAN is missing');
    const given = readArgs(rest, ['from'], ['yes']);
    const change = { planId: first };
    const from = dayOf(given.option('from'));
    const count = await countAffected(context.db, change);
    if (count === 0)
      return 'Nothing to change: no renewal is affected, or all customers were notified already.';
    const shown = `${count} subscriptions are affected. Their customers are notified now, by email and on their pages.`;
    if (!given.has('yes') && !(await context.ask(`${shown}\nNotify them?`)))
      return {
        says: `${shown}\nNothing was changed. To do it without being asked: --yes`,
        bad: true,
      } as Said;
    const notified = await withJobs(context, deps => announcePrice({ ...deps, live: liveBus }, change, from));
    return `${notified} customers were notified. Subscriptions with a cancelled renewal or a planned plan change keep their price: run it again later.`;
  },
};

/** Where a rate of VAT stands since version 0.3, with the lines for the one that was given. */
function vatElsewhere(country: string, [rate = 'RATE', ...rest]: readonly string[]): string {
  const day = rest[rest.indexOf('--from') + 1] ?? 'DAY';
  return `Nothing was changed. A rate of VAT stands in the catalogue with its first day. Put this into the catalogue, with the present rate first:

vat:
  ${country}:
    - { rate: PRESENT_RATE }
    - { from: ${day}, rate: ${rate} }

Then import it. Customers who renew at the new rate are notified by themselves:
  npm run shop -- catalogue import FILE`;
}

/** The start of a day in Bangkok. @throws UsageError */
function dayOf(given: string): Date {
  const at = new Date(`${given}T00:00:00+07:00`);
  // `Date` reads the 31st of February as a day of March.
  if (Number.isNaN(at.getTime()) || bangkokDay(at) !== given)
    throw new UsageError(`${given} is not a day: write it like 2027-03-01`);
  return at;
}
