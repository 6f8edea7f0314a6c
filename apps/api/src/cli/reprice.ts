import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { liveBus } from '../adapters/postgres-bus.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { announcePrice, countAffected, countLate, type NewPrice } from '../modules/subscription/index.ts';
import { type Command, readArgs, type Said, UsageError, withJobs } from './command.ts';

export const reprice: Command = {
  usage: [
    {
      form: 'reprice PLAN --from 2027-03-01 [--yes]',
      does: 'Moves existing subscribers of a plan to the current catalogue price at their first renewal from that day on, at least 30 days after the email. Shows how many are affected, asks for confirmation, and emails each of them.',
    },
    {
      form: 'reprice --vat 8.5 --from 2027-03-01 [--yes]',
      does: 'Applies this VAT rate to all renewals from that day on. Paid invoices stay as they are.',
    },
  ],
  async run(context, [first, ...rest]) {
    const plan = first?.startsWith('--') ? undefined : first;
    const given = readArgs(plan ? rest : [first ?? '', ...rest].filter(Boolean), ['vat', 'from'], ['yes']);
    const vat = given.optional('vat');
    if ((plan === undefined) === (vat === undefined)) throw new UsageError('Name either PLAN or --vat');
    const change: NewPrice = plan ? { planId: plan } : { vatRateBp: basisPoints(vat!) };
    const from = dayOf(given.option('from'));
    const count = await countAffected(context.db, change);
    if (count === 0)
      return 'Nothing to change: no renewal is affected, or all customers were notified already.';
    const { now } = await openShopClock(context.db, systemClock);
    const late = await countLate(context.db, now(), change, from);
    const shown =
      `${count} subscriptions are affected. Their customers are notified now, by email and on their pages.` +
      (late > 0
        ? `\n${late} of them are notified less than 30 days before their renewal, because the law sets the day.`
        : '');
    if (!given.has('yes') && !(await context.ask(`${shown}\nNotify them?`)))
      return {
        says: `${shown}\nNothing was changed. To do it without being asked: --yes`,
        bad: true,
      } as Said;
    const notified = await withJobs(context, deps => announcePrice({ ...deps, live: liveBus }, change, from));
    return `${notified} customers were notified. Subscriptions with a cancelled renewal or a planned plan change keep their price: run it again later.`;
  },
};

/** Converts `8.5` percent to basis points. @throws UsageError */
function basisPoints(given: string): number {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(given)) throw new UsageError(`${given} is not a rate: write it like 8.5`);
  return Math.round(Number(given) * 100);
}

/** The start of a day in Bangkok. @throws UsageError */
function dayOf(given: string): Date {
  const at = new Date(`${given}T00:00:00+07:00`);
  // `Date` reads the 31st of February as a day of March.
  if (Number.isNaN(at.getTime()) || bangkokDay(at) !== given)
    throw new UsageError(`${given} is not a day: write it like 2027-03-01`);
  return at;
}
