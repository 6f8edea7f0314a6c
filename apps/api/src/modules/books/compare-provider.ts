import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { ProviderBooks, ProviderStatement } from '../../ports/provider-books.ts';
import type { Difference } from './check.ts';
import { compare, type OwnStatement } from './compare.ts';

/** What a comparison has shown: the differences, and what both sides say of the balance and the fees by currency. */
export type Comparison = {
  found: Difference[];
  balances: { currency: string; ours: number; theirs: number; fees: number }[];
};

/** Before the first payer was made there was no payment; clocks may differ by less than this. */
const DAY_MS = 86_400_000;

/**
 * Reads a provider's books from the beginning and holds ours against them, to the balance.
 * @throws NamedFault('providerUnreachable')
 */
export async function compareProvider(db: Db, books: ProviderBooks, now: Date): Promise<Comparison> {
  const { first } = await db
    .selectFrom('payer')
    .select(eb => eb.fn.min('created_at').as('first'))
    .where('provider', '=', books.provider)
    .executeTakeFirstOrThrow();
  const since = new Date((first ?? now).getTime() - DAY_MS);
  const theirs = await books.read(since);
  const ours = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => ({
      ...(await ownStatement(tx, books.provider, since, theirs, theirs.asOf ?? now)),
      ...(await ownSums(tx, books.provider)),
      moving: await movingDisputes(tx, books.provider, theirs.asOf ?? now),
    }));
  const currencies = new Set([...Object.keys(ours.balances), ...Object.keys(theirs.balances)]);
  return {
    found: compare(books.provider, ours, theirs),
    balances: [...currencies].sort().map(currency => ({
      currency,
      ours: ours.balances[currency] ?? 0,
      theirs: theirs.balances[currency] ?? 0,
      fees: ours.fees[currency] ?? 0,
    })),
  };
}

/**
 * The same of what was begun since then, without the balance. Ours are read last: what came meanwhile is news to them
 * alone, and no difference.
 * @throws NamedFault('providerUnreachable')
 */
export async function compareSince(
  db: Db,
  books: ProviderBooks,
  now: Date,
  since: Date,
): Promise<Difference[]> {
  const theirs = await books.read(since);
  const ours = await ownStatement(db, books.provider, since, theirs, theirs.asOf ?? now);
  return compare(books.provider, ours, theirs);
}

/** Our books of a provider since then, and of all that it names. */
async function ownStatement(
  tx: Db,
  provider: Provider,
  since: Date,
  { payments, refunds }: ProviderStatement,
  asOf: Date,
): Promise<Pick<OwnStatement, 'attempts' | 'refunds'>> {
  // With an end, so that the planner looks for a span and not for a third of all rows.
  const end = new Date(asOf.getTime() + DAY_MS);
  // Looked up for each: a join would read all payers.
  const ofProvider = sql<boolean>`(select provider from payer where payer.id = attempt.payer_id) = ${provider}`;
  const paymentRefs = anyOf(payments.map(({ ref }) => ref));
  const attempts = await tx
    .selectFrom('attempt')
    .select(['attempt.id', 'attempt.currency', 'received', 'fee'])
    .select(sql<boolean>`attempt.updated_at > ${asOf}`.as('fresh'))
    // Its money is named by the charge, where that has a name of its own.
    .select(sql<string | null>`coalesce(charge_ref, attempt.provider_ref)`.as('ref'))
    .select(sql<boolean>`attempt.status = 'succeeded'`.as('succeeded'))
    .select(sql<boolean>`ask_at is not null`.as('asksAgain'))
    .where(ofProvider)
    .where(({ or, eb, between }) =>
      or([
        between('attempt.created_at', since, end),
        eb('attempt.provider_ref', '=', paymentRefs),
        eb('attempt.charge_ref', '=', paymentRefs),
        eb('attempt.id', '=', anyOf(payments.map(({ attemptId }) => attemptId))),
      ]),
    )
    .execute();
  const given = await tx
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.id', 'refund.provider_ref as ref', 'refund.status', 'refund.currency', 'refund.amount'])
    .select(sql<boolean>`refund.updated_at > ${asOf}`.as('fresh'))
    .where(ofProvider)
    .where(({ or, eb, between }) =>
      or([
        between('refund.created_at', since, end),
        eb('refund.provider_ref', '=', anyOf(refunds.map(({ ref }) => ref))),
        eb('refund.id', '=', anyOf(refunds.map(({ refundId }) => refundId))),
      ]),
    )
    .execute();
  return { attempts, refunds: given };
}

/** What the ledger says of the balance and of the fees, by currency. */
async function ownSums(
  tx: Db,
  provider: Provider,
): Promise<{ balances: Record<string, number>; fees: Record<string, number> }> {
  const sums = await tx
    .selectFrom('ledger_entry')
    .select(['account', 'currency', sql<number>`sum(amount)::bigint`.as('sum')])
    .where('account', 'in', ['provider', 'fees'])
    .where('provider', '=', provider)
    .groupBy(['account', 'currency'])
    .execute();
  const of = (account: string) =>
    Object.fromEntries(
      sums.filter(row => row.account === account).map(({ currency, sum }) => [currency, sum]),
    );
  return { balances: of('provider'), fees: of('fees') };
}

/** Disputes that have moved since then, by all names that a provider may give them. */
const movingDisputes = (tx: Db, provider: Provider, asOf: Date) =>
  tx
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('payer', 'payer.id', 'attempt.payer_id')
    .select('dispute.currency')
    .select(sql<number>`-withdrawn - dispute.fee`.as('net'))
    .select(sql<string[]>`array[dispute.provider_ref, attempt.provider_ref, charge_ref]`.as('names'))
    .where('payer.provider', '=', provider)
    .where('dispute.updated_at', '>', asOf)
    .execute();

const anyOf = (names: readonly (string | undefined)[]) =>
  sql<string>`any(${names.filter(name => name !== undefined)})`;
