import { z } from 'zod';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { booksOf, openProviders } from '../compose/providers.ts';
import { readProviderEnv } from '../env/env.ts';
import { NamedFault } from '../kernel/refusal.ts';
import {
  alertDifferences,
  checkDatabase,
  compareGateway,
  type Difference,
  listPayouts,
  revenueOf,
  tickOffPayout,
} from '../modules/books/index.ts';
import type { Clock } from '../ports/clock.ts';
import { balanceText, differenceText, payoutsText, revenueText, unheldText } from './books-text.ts';
import { type Command, type Context, readArgs, type Said, UsageError } from './command.ts';

export const books: Command = {
  usage: [
    {
      form: 'books',
      does: 'Checks the books against every rule and against the payment gateways, and books what these moved besides sales. Exits with 1 when they differ, and prints the query that finds each difference.',
    },
    {
      form: 'books --database [--at 2027-03-01T03:00:00Z]',
      does: 'Checks the database alone. --at: as of the moment of a restored backup.',
    },
    {
      form: 'books payouts [--all]',
      does: 'Lists the payouts of the gateways to your bank that are not ticked off, each with its bank account. --all: also those that are.',
    },
    {
      form: 'books payouts --arrived PAYOUT',
      does: 'Ticks off a payout that is on the statement of your bank. Its bank account is known from then on.',
    },
    {
      form: 'books revenue --month 2026-11',
      does: 'Prints earned and unearned revenue without VAT by day and currency, as CSV, for the days of the month that are over.',
    },
  ],
  run(context, args) {
    const [part, ...rest] = args;
    if (part === 'payouts') return payouts(context, rest);
    if (part === 'revenue') return revenue(context, rest);
    return compareBooks(context, args);
  },
};

async function payouts({ db }: Context, args: string[]): Promise<string> {
  const given = readArgs(args, ['arrived'], ['all']);
  const arrived = given.optional('arrived');
  if (arrived === undefined) return payoutsText(await listPayouts(db, given.has('all')));
  const clock = await openShopClock(db, systemClock);
  await tickOffPayout(db, clock.now(), arrived);
  return `Ticked off ${arrived}. Its bank account is known from now on.`;
}

async function revenue({ db }: Context, args: string[]): Promise<string> {
  const month = readArgs(args, ['month']).option('month');
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError(`${month} is not a month: write it like 2026-11`);
  const clock = await openShopClock(db, systemClock);
  return revenueText(await revenueOf(db, clock.now(), month));
}

async function compareBooks({ db, source }: Context, args: string[]): Promise<Said> {
  const given = readArgs(args, ['at'], ['database']);
  const databaseAlone = given.has('database');
  const at = given.optional('at');
  if (at !== undefined && !databaseAlone)
    throw new UsageError('--at requires --database: gateways only report the present');
  const clock = await openShopClock(db, systemClock);
  const found = await checkDatabase(db, at === undefined ? clock.now() : momentOf(at));
  await alertDifferences(db, clock.now(), found);
  const theirs = databaseAlone
    ? { found: [], says: [], silent: [] }
    : await compareGateways({ db, source }, clock);
  const all = [...found, ...theirs.found];
  const bad = all.length > 0 || theirs.silent.length > 0;
  const verdict = all.length > 0 ? 'The books do not balance.' : bad ? [] : 'The books balance.';
  const says = [...all.map(differenceText), ...theirs.silent, theirs.says.join('\n'), verdict]
    .flat()
    .filter(Boolean);
  return { says: says.join('\n\n'), bad };
}

/** A gateway that does not answer, or refuses the comparison, counts as a difference. */
async function compareGateways(
  { db, source }: Pick<Context, 'db' | 'source'>,
  clock: Clock,
): Promise<{ found: Difference[]; says: string[]; silent: string[] }> {
  const env = readProviderEnv(source);
  if (!env)
    throw new UsageError('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing; or --database');
  const found: Difference[] = [];
  const says: string[] = [];
  const silent: string[] = [];
  for (const books of booksOf(await openProviders(env, clock))) {
    const { provider } = books;
    try {
      const compared = await compareGateway(db, books, clock.now());
      found.push(...compared.found);
      says.push(...compared.balances.map(balance => balanceText(provider, balance)));
      if (compared.from)
        says.push(
          `${provider}: its records begin on ${compared.from.toISOString().slice(0, 10)}. Records since then were compared, our balance was not.`,
        );
      if (compared.unheld) says.push(unheldText(provider, compared.unheld));
    } catch (error) {
      // One gateway's refusal does not stop the comparison with the others.
      const why = error instanceof NamedFault ? 'does not answer' : `refused (${(error as Error).message})`;
      silent.push(`${provider} ${why}: not compared.`);
    }
  }
  return { found, says, silent };
}

/** @throws UsageError */
function momentOf(given: string): Date {
  if (!z.iso.datetime({ offset: true }).safeParse(given).success)
    throw new UsageError(`${given} is not an instant: write it like 2027-03-01T03:00:00Z`);
  return new Date(given);
}
