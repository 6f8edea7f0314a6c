import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { liveBus } from '../adapters/postgres-bus.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { announcePrice, countConcerned, countLate, type NewPrice } from '../modules/subscription/index.ts';
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
    if ((plan === undefined) === (vat === undefined)) throw new UsageError('PLAN or --vat?');
    const change: NewPrice = plan ? { planId: plan } : { vatRateBp: basisPoints(vat!) };
    const from = dayOf(given.option('from'));
    const count = await countConcerned(context.db, change);
    if (count === 0) return 'Nobody who renews would pay anything else, or all of them were told already.';
    const { now } = await openShopClock(context.db, systemClock);
    const late = await countLate(context.db, now(), change, from);
    const shown =
      `${count} subscriptions that renew: their customers are told now, by email and on their pages.` +
      (late > 0
        ? `\n${late} of them hear of it less than 30 days before their renewal that says it: the day is the law's and stays.`
        : '');
    if (!given.has('yes') && !(await context.ask(`${shown}\nTell them?`)))
      return { says: `${shown}\nNothing is changed. To do it without being asked: --yes`, bad: true } as Said;
    const told = await withJobs(context, deps => announcePrice({ ...deps, live: liveBus }, change, from));
    return `${told} were told. Who turned renewal off, or has planned another plan, keeps his price: run it again later.`;
  },
};

/** `8.5` percent in basis points. @throws UsageError */
function basisPoints(given: string): number {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(given)) throw new UsageError(`${given} is no rate: write it like 8.5`);
  return Math.round(Number(given) * 100);
}

/** The beginning of a day in Bangkok. @throws UsageError */
function dayOf(given: string): Date {
  const at = new Date(`${given}T00:00:00+07:00`);
  // The 31st of February is read as a day of March.
  if (Number.isNaN(at.getTime()) || bangkokDay(at) !== given)
    throw new UsageError(`${given} is no day: write it like 2027-03-01`);
  return at;
}
