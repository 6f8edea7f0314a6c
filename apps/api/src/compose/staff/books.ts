import { readProviderEnv } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { NamedFault } from '../../kernel/refusal.ts';
import {
  alertDifferences,
  checkDatabase,
  compareGateway,
  type Difference,
  listPayouts,
  revenueOf,
  tickOffPayout,
} from '../../modules/books/index.ts';
import { booksOf, openProviders } from '../providers.ts';
import type { AnswersOf, HandlersOf, Work } from './handler.ts';

export const handlers: HandlersOf<'books'> = {
  async check(work, { input: { database, at } }) {
    const { db, clock } = work;
    const found = await checkDatabase(db, at === undefined ? clock.now() : new Date(at));
    await alertDifferences(db, clock.now(), found);
    const theirs = database ? { found: [], compared: [], notCompared: [] } : await compareGateways(work);
    const { compared, notCompared } = theirs;
    const differences = [...found, ...theirs.found].map(({ rows, ...difference }) => ({
      ...difference,
      rows: [...rows],
    }));
    return { differences, compared, notCompared };
  },

  async payouts({ db }, { input: { all } }) {
    const payouts = await listPayouts(db, all);
    return {
      payouts: payouts.map(({ at, arrivedAt, ...payout }) => ({
        ...payout,
        at: at.toISOString(),
        arrivedAt: arrivedAt?.toISOString() ?? null,
      })),
    };
  },

  async arrived({ db, clock, note }, { input: { payout } }) {
    await tickOffPayout(db, clock.now(), payout);
    note({ subject: payout });
    return { payout };
  },

  revenue: async ({ db, clock }, { input: { month } }) => ({ days: await revenueOf(db, clock.now(), month) }),
};

/** A gateway that does not answer, or refuses the comparison, counts as a difference. */
async function compareGateways({ db, source, clock }: Pick<Work, 'db' | 'source' | 'clock'>) {
  const env = readProviderEnv(source);
  if (!env)
    throw new InvalidInput('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing; or --database');
  const found: Difference[] = [];
  const compared: AnswersOf<'books'>['check']['compared'] = [];
  const notCompared: string[] = [];
  for (const books of booksOf(await openProviders(env, clock))) {
    const { provider } = books;
    try {
      const { found: theirs, balances, from, unheld } = await compareGateway(db, books, clock.now());
      found.push(...theirs);
      compared.push({
        provider,
        balances,
        ...(from && { from: from.toISOString().slice(0, 10) }),
        ...(unheld && { unheld }),
      });
    } catch (error) {
      // One gateway's refusal does not stop the comparison with the others.
      const why = error instanceof NamedFault ? 'does not answer' : `refused (${(error as Error).message})`;
      notCompared.push(`${provider} ${why}: not compared.`);
    }
  }
  return { found, compared, notCompared };
}
