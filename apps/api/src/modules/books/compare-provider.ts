import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { PaymentMethod, Provider } from '../../ports/payment-gateway.ts';
import type { ProviderBooks, ProviderStatement } from '../../ports/provider-books.ts';
import type { Difference } from './check.ts';
import { compare, type OwnStatement } from './compare.ts';

/**
 * Result of a comparison: differences, and per currency what payments, refunds and disputes moved on the balance by either
 * side, fees, and other movements (`outside`). `from`: the provider's history begins there, so balances are unknown.
 */
export type Comparison = {
  found: Difference[];
  from?: Date;
  balances: { currency: string; ours: number; theirs: number; fees: number; outside: number }[];
};

/** Margin before the first gateway customer, for clocks that differ. */
const DAY_MS = 86_400_000;

/**
 * Compares a provider with our books from the beginning, including the balance. A provider with a limited history is
 * compared as far as that goes, without the balance.
 * @throws NamedFault('providerUnreachable')
 */
export async function compareProvider(db: Db, books: ProviderBooks, now: Date): Promise<Comparison> {
  const { first } = await db
    .selectFrom('gateway_customer')
    .select(eb => eb.fn.min('created_at').as('first'))
    .where('provider', '=', books.provider)
    .executeTakeFirstOrThrow();
  const since = new Date((first ?? now).getTime() - DAY_MS);
  const from = books.reachMs === undefined ? undefined : new Date(now.getTime() - books.reachMs);
  if (from && since < from) {
    const { found } = await compareSince(db, books, now, from);
    return { found, from, balances: [] };
  }
  const theirs = await books.read(since);
  const ours = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => ({
      ...(await ownStatement(tx, books, since, theirs, theirs.asOf ?? now)),
      ...(await ownSums(tx, books.provider)),
      moving: await movingDisputes(tx, books.provider, theirs.asOf ?? now),
    }));
  const { outside = {} } = theirs;
  const currencies = new Set([ours.balances, theirs.balances, outside].flatMap(Object.keys));
  return {
    found: compare(books.provider, ours, theirs),
    balances: [...currencies].sort().map(currency => ({
      currency,
      ours: ours.balances[currency] ?? 0,
      theirs: theirs.balances[currency] ?? 0,
      fees: ours.fees[currency] ?? 0,
      outside: outside[currency] ?? 0,
    })),
  };
}

/**
 * Compares what began since then, without the balance. Reads our side last, so that later changes appear only there and
 * count as fresh.
 * @returns differences, and references of disputes at the provider
 * @throws NamedFault('providerUnreachable')
 */
export async function compareSince(
  db: Db,
  books: ProviderBooks,
  now: Date,
  since: Date,
): Promise<{ found: Difference[]; disputed: readonly string[] }> {
  const theirs = await books.read(since);
  const ours = await ownStatement(db, books, since, theirs, theirs.asOf ?? now);
  return { found: compare(books.provider, ours, theirs), disputed: theirs.disputed ?? [] };
}

/** Time span. It has an end, because the planner would otherwise expect a third of all rows. */
type Span = { since: Date; end: Date };
type OwnAttempts = OwnStatement['attempts'];

/** Our statement of a provider since then, including everything that the provider names. */
async function ownStatement(
  tx: Db,
  { provider, methods }: ProviderBooks,
  since: Date,
  { payments, refunds, disputes, payable = [] }: ProviderStatement,
  asOf: Date,
): Promise<Pick<OwnStatement, 'attempts' | 'refunds' | 'disputed' | 'foreign'>> {
  const span = { since, end: new Date(asOf.getTime() + DAY_MS) };
  const attempts: OwnAttempts[number][] = [];
  for (const method of methods) attempts.push(...(await attemptsOf(tx, method, asOf, span)));
  const given = await tx
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.id', 'refund.provider_ref as ref', 'refund.status', 'refund.currency', 'refund.amount'])
    .select(sql<boolean>`refund.updated_at > ${asOf}`.as('fresh'))
    .where('method', '=', anyOf(methods))
    .where(({ or, eb, between }) =>
      or([
        between('refund.created_at', span.since, span.end),
        eb('refund.provider_ref', '=', anyOf(refunds.map(({ ref }) => ref))),
        eb('refund.id', '=', anyOf(refunds.map(({ refundId }) => refundId))),
      ]),
    )
    .execute();
  const named = await attemptsBeyond(
    tx,
    methods,
    asOf,
    span,
    namedBeyond(attempts, [...payments, ...payable]),
  );
  const disputed = disputes.length > 0 ? await disputedSince(tx, methods, since) : [];
  const foreign = await foreignAt(tx, provider);
  return { attempts: [...attempts, ...named], refunds: given, disputed, foreign };
}

/** References of disputes that we have booked since then. */
async function disputedSince(
  tx: Db,
  methods: readonly PaymentMethod[],
  since: Date,
): Promise<OwnStatement['disputed']> {
  const rows = await tx
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .select(['dispute.provider_ref as own', 'attempt.provider_ref as payment', 'charge_ref as charge'])
    .where('method', '=', anyOf(methods))
    .where('dispute.updated_at', '>=', since)
    .execute();
  return rows.flatMap(({ own, payment, charge }) => [own, payment, charge]);
}

/** Page size, so that no statement grows with the age of the shop. */
const PAGE = 2_000;

/** Attempts of a time span by creation time. */
async function attemptsOf(
  tx: Db,
  method: PaymentMethod,
  asOf: Date,
  { since, end }: Span,
): Promise<OwnAttempts> {
  const found = [];
  let after = { created_at: since, id: '' };
  for (;;) {
    const page = await ownAttempts(tx, asOf)
      .select('created_at')
      // The index is ordered for a single method only.
      .where('method', '=', method)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(after.created_at, after.id)),
      )
      .where('created_at', '<=', end)
      .orderBy('created_at')
      .orderBy('id')
      .limit(PAGE)
      .execute();
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found;
    after = last;
  }
}

const ownAttempts = (tx: Db, asOf: Date) =>
  tx
    .selectFrom('attempt')
    .select(['id', 'currency', 'received', 'fee'])
    .select(sql<boolean>`updated_at > ${asOf}`.as('fresh'))
    // Providers refer to money by the charge, if it has a reference of its own.
    .select(sql<string | null>`coalesce(charge_ref, provider_ref)`.as('ref'))
    .select(sql<boolean>`status = 'succeeded'`.as('succeeded'))
    .select(sql<boolean>`status = 'closed'`.as('closed'))
    .select(sql<boolean>`ask_at is not null`.as('asksAgain'));

type Named = { ref: string; attemptId?: string | undefined };

/** Payments of a provider without one of these attempts. Few, since both sides cover the same span. */
function namedBeyond<T extends Named>(attempts: OwnAttempts, payments: readonly T[]) {
  const known = new Set(attempts.flatMap(({ id, ref }) => [id, ref]));
  return payments.filter(({ ref, attemptId }) => !known.has(ref) && !known.has(attemptId ?? null));
}

/** Attempts outside a time span, by any reference that a provider may use. */
async function attemptsBeyond(
  tx: Db,
  methods: readonly PaymentMethod[],
  asOf: Date,
  { since, end }: Span,
  payments: readonly Named[],
): Promise<OwnAttempts> {
  if (payments.length === 0) return [];
  const refs = anyOf(payments.map(({ ref }) => ref));
  return (
    ownAttempts(tx, asOf)
      // By method: a join to the gateway customer for the provider would dominate the query.
      .where('method', '=', anyOf(methods))
      .where(({ or, eb }) =>
        or([
          eb('provider_ref', '=', refs),
          eb('charge_ref', '=', refs),
          eb('id', '=', anyOf(payments.map(({ attemptId }) => attemptId))),
        ]),
      )
      .where(({ not, between }) => not(between('created_at', since, end)))
      .execute()
  );
}

/** Provider balance and fees in the ledger, by currency. */
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

/** Disputes that changed since then, with all references that a provider may use. */
const movingDisputes = (tx: Db, provider: Provider, asOf: Date) =>
  tx
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .select('dispute.currency')
    .select(sql<number>`-withdrawn - dispute.fee`.as('net'))
    .select(sql<string[]>`array[dispute.provider_ref, attempt.provider_ref, charge_ref]`.as('names'))
    .where('gateway_customer.provider', '=', provider)
    .where('dispute.updated_at', '>', asOf)
    .execute();

/** References at a provider that staff declared foreign. */
const foreignAt = async (db: Db, provider: Provider): Promise<string[]> =>
  (await db.selectFrom('foreign_money').select('ref').where('provider', '=', provider).execute()).map(
    ({ ref }) => ref,
  );

const anyOf = <T extends string>(names: readonly (T | undefined)[]) =>
  sql<T>`any(${names.filter(name => name !== undefined)})`;
