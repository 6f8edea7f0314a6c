import { z } from 'zod';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { booksOf, openProviders } from '../compose/providers.ts';
import { readProviderEnv } from '../env/env.ts';
import { NamedFault } from '../kernel/refusal.ts';
import {
  alertDifferences,
  type Comparison,
  checkDatabase,
  compareProvider,
  type Difference,
} from '../modules/books/index.ts';
import { type Command, readArgs, UsageError } from './command.ts';

/** Rows shown per difference; its query finds all. */
const SHOWN = 10;

export const books: Command = {
  usage: [
    {
      form: 'books',
      does: 'Checks the books against every rule and against the payment gateways. Exits with 1 when they differ, and prints the query that finds each difference.',
    },
    {
      form: 'books --database [--at 2027-03-01T03:00:00Z]',
      does: 'Checks the database alone. --at: as of the moment of a restored backup.',
    },
  ],
  async run({ db, source }, args) {
    const given = readArgs(args, ['at'], ['database']);
    const databaseAlone = given.has('database');
    const at = given.optional('at');
    if (at !== undefined && !databaseAlone)
      throw new UsageError('--at requires --database: providers only report the present');
    const clock = await openShopClock(db, systemClock);
    const found = await checkDatabase(db, at === undefined ? clock.now() : momentOf(at));
    await alertDifferences(db, clock.now(), found);
    const theirs = databaseAlone ? { found: [], says: [], silent: [] } : await compareProviders();
    const all = [...found, ...theirs.found];
    const bad = all.length > 0 || theirs.silent.length > 0;
    const verdict = all.length > 0 ? 'The books do not balance.' : bad ? [] : 'The books balance.';
    const says = [...all.map(differenceText), ...theirs.silent, theirs.says.join('\n'), verdict]
      .flat()
      .filter(Boolean);
    return { says: says.join('\n\n'), bad };

    /** A provider that does not answer, or refuses the comparison, counts as a difference. */
    async function compareProviders(): Promise<{ found: Difference[]; says: string[]; silent: string[] }> {
      const env = readProviderEnv(source);
      if (!env)
        throw new UsageError('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing; or --database');
      const found: Difference[] = [];
      const says: string[] = [];
      const silent: string[] = [];
      for (const books of booksOf(await openProviders(env, clock))) {
        try {
          const compared = await compareProvider(db, books, clock.now());
          const reported = await books.reportedBalance?.();
          found.push(...compared.found);
          says.push(...balanceOf(books.provider, compared, reported));
          if (compared.from)
            says.push(
              `${books.provider}: its records begin on ${compared.from.toISOString().slice(0, 10)}. Records since then were compared, the balance was not.`,
            );
        } catch (error) {
          // One provider's refusal does not stop the comparison with the others.
          const why =
            error instanceof NamedFault ? 'does not answer' : `refused (${(error as Error).message})`;
          silent.push(`${books.provider} ${why}: not compared.`);
        }
      }
      return { found, says, silent };
    }
  },
};

/** @throws UsageError */
function momentOf(given: string): Date {
  if (!z.iso.datetime({ offset: true }).safeParse(given).success)
    throw new UsageError(`${given} is not an instant: write it like 2027-03-01T03:00:00Z`);
  return new Date(given);
}

/**
 * Balance of a provider on both sides, fees, other movements, and the balance that it reports by
 * itself.
 */
function balanceOf(
  provider: string,
  { balances }: Comparison,
  reported?: Readonly<Record<string, number>>,
): string[] {
  const known = new Set(balances.map(({ currency }) => currency));
  const others = Object.entries(reported ?? {})
    .filter(([currency, holds]) => holds !== 0 && !known.has(currency))
    .map(([currency]) => ({ currency, ours: 0, theirs: 0, fees: 0, outside: 0 }));
  return [...balances, ...others]
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
    .map(({ currency, ours, theirs, fees, outside }) =>
      [
        `${provider} ${currency}: balance ${amount(theirs)}, in our books ${amount(ours)}`,
        `fees ${amount(fees)}`,
        ...(outside ? [`other movements there (payouts, its own bills) ${amount(outside)}`] : []),
        ...(reported ? [`it reports a balance of ${amount(reported[currency] ?? 0)}`] : []),
      ].join('; '),
    );
}

const amount = (hundredths: number): string => (hundredths / 100).toFixed(2);

function differenceText({ name, sentence, rows, query }: Difference): string {
  const shown = rows.slice(0, SHOWN).map(row => JSON.stringify(row));
  if (rows.length > SHOWN) shown.push(`and ${rows.length - SHOWN} more`);
  return [`${name}: violated: ${sentence}`, ...shown, `${query};`].join('\n  ');
}
