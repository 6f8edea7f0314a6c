import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import {
  type GatewayBooks,
  type GatewayStatement,
  isSale,
  type MovementKind,
  sumsOf,
} from '../../ports/gateway-books.ts';
import type { PaymentMethod, Provider } from '../../ports/payment-gateway.ts';
import type { Difference } from './check.ts';
import { compare, paymentsDiffer } from './compare.ts';
import { paymentsThere } from './compare-payments.ts';
import { bookMovements, keptOf } from './movements.ts';
import type { OwnStatement } from './statement.ts';
import { createUnderWay, type Effect, type UnderWay } from './under-way.ts';

/**
 * Result of a comparison: differences, and per currency of settlement both balances, what the gateway states, what of it is
 * under way, fees, and the movements that belong to no sale. `from`: the gateway's history begins there, so our balance is
 * not compared.
 */
export type Comparison = {
  found: Difference[];
  from?: Date;
  balances: Balance[];
  /** Why the balance that the gateway states was not compared. */
  unheld?: 'forbidden' | 'moving' | undefined;
};
export type Balance = {
  currency: string;
  ours: number;
  theirs: number;
  /** Balance that the gateway states. */
  holds?: number | undefined;
  fees: number;
  /** Balance of the exchange account: what was given for other currencies, less what came from them. */
  exchange: number;
  underWay: UnderWay[];
  moved: { kind: MovementKind; amount: number; count: number }[];
};

/** Margin before the first gateway customer, for clocks that differ. */
const DAY_MS = 86_400_000;

/**
 * Books the gateway's own movements and compares the gateway with our books from the beginning, including the balance. A
 * gateway with a limited history is compared as far as that goes, without our balance.
 * @throws NamedFault('providerUnreachable')
 */
export async function compareGateway(db: Db, books: GatewayBooks, now: Date): Promise<Comparison> {
  const { provider } = books;
  const { first } = await db
    .selectFrom('gateway_customer')
    .select(eb => eb.fn.min('created_at').as('first'))
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow();
  const since = new Date((first ?? now).getTime() - DAY_MS);
  const from = books.reachMs === undefined ? undefined : new Date(now.getTime() - books.reachMs);
  const isPart = from !== undefined && since < from;
  const start = isPart ? from : since;
  const theirs = await books.read(start, true);
  await bookMovements(db, now, provider, theirs);
  const asOf = theirs.asOf ?? now;
  const { fees, exchange, ...ours } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => ({
      ...(await ownStatement(tx, books, start, theirs, asOf)),
      ...(await ownSums(tx, provider)),
      moving: await movingDisputes(tx, provider, asOf),
      newer: await newerMovements(tx, provider, now, theirs),
    }));
  const { balances, ...partly } = ours;
  const { found, underWay } = compare(provider, isPart ? partly : ours, theirs, now);
  const unheld = typeof theirs.held === 'string' ? theirs.held : undefined;
  if (isPart) return { found, from, balances: [], unheld };
  return { found, balances: balancesOf({ balances, fees, exchange }, theirs, underWay), unheld };
}

function balancesOf(
  ours: { balances: Effect; fees: Effect; exchange: Effect },
  { movements, held }: GatewayStatement,
  underWay: readonly UnderWay[],
): Balance[] {
  const holds = typeof held === 'object' ? held.now : undefined;
  const there = sumsOf(movements);
  const names = [ours.balances, ours.fees, ours.exchange, there, holds ?? {}].flatMap(Object.keys);
  return [...new Set(names)].sort().map(currency => {
    const others = movements.filter(each => each.currency === currency && !isSale(each));
    return {
      currency,
      ours: ours.balances[currency] ?? 0,
      theirs: there[currency] ?? 0,
      holds: holds && (holds[currency] ?? 0),
      fees: ours.fees[currency] ?? 0,
      exchange: ours.exchange[currency] ?? 0,
      underWay: underWay.filter(each => each.currency === currency && each.amount !== 0),
      moved: [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, all]) => ({
        kind,
        amount: all.reduce((sum, { net }) => sum + net, 0),
        count: all.length,
      })),
    };
  });
}

/**
 * Books the gateway's own movements and compares what began since then, without the balance. Reads our side last, so that
 * later changes appear only there and count as fresh.
 * @returns differences, and references of disputes at the gateway
 * @throws NamedFault('providerUnreachable')
 */
export async function compareSince(
  db: Db,
  books: GatewayBooks,
  now: Date,
  since: Date,
): Promise<{ found: Difference[]; disputed: readonly string[] }> {
  const theirs = await books.read(since);
  await bookMovements(db, now, books.provider, theirs);
  const ours = await ownStatement(db, books, since, theirs, theirs.asOf ?? now);
  return { found: compare(books.provider, ours, theirs, now).found, disputed: theirs.disputed ?? [] };
}

/**
 * Looks for payments since then that succeeded at the gateway and are in no book.
 * @throws NamedFault('providerUnreachable')
 */
export async function comparePayments(
  db: Db,
  books: GatewayBooks,
  now: Date,
  since: Date,
): Promise<Difference[]> {
  const theirs = await books.payments(since);
  const none = { refunds: [], disputes: [], movements: [] };
  const ours = await ownStatement(db, books, since, { ...theirs, ...none }, theirs.asOf ?? now);
  const rows = paymentsThere(ours, theirs, now, createUnderWay());
  return rows.length > 0 ? [paymentsDiffer(books.provider, rows)] : [];
}

/** Time span. It has an end, because the planner would otherwise expect a third of all rows. */
type Span = { since: Date; end: Date };
type OwnAttempts = OwnStatement['attempts'];

/** Our statement of a provider since then, including everything that the provider names. */
async function ownStatement(
  tx: Db,
  { provider, methods }: GatewayBooks,
  since: Date,
  { payments, refunds, disputes, movements, payable = [] }: GatewayStatement,
  asOf: Date,
): Promise<Pick<OwnStatement, 'attempts' | 'refunds' | 'disputed' | 'foreign' | 'kept'>> {
  const span = { since, end: new Date(asOf.getTime() + DAY_MS) };
  const attempts: OwnAttempts[number][] = [];
  for (const method of methods) attempts.push(...(await attemptsOf(tx, method, asOf, span)));
  const given = await tx
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.id', 'refund.provider_ref as ref', 'refund.status', 'refund.currency', 'refund.amount'])
    .select('refund.updated_at as changedAt')
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
  const kept = await keptOf(
    tx,
    provider,
    movements.filter(({ sold }) => sold),
  );
  return { attempts: [...attempts, ...named], refunds: given, disputed, foreign, kept };
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
    .select(['id', 'currency', 'received', 'fee', 'updated_at as changedAt'])
    .select(sql<boolean>`updated_at > ${asOf}`.as('fresh'))
    // Providers refer to money by the charge, if it has a reference of its own.
    .select(sql<string | null>`coalesce(charge_ref, provider_ref)`.as('ref'))
    .select(sql<boolean>`status = 'succeeded'`.as('succeeded'))
    .select(sql<boolean>`status = 'closed'`.as('closed'));

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

/** Balance of a gateway and its fees in the ledger, by currency: what was sold, and what the gateway moved besides. */
async function ownSums(
  tx: Db,
  provider: Provider,
): Promise<{ balances: Effect; fees: Effect; exchange: Effect }> {
  const { rows } = await sql<{ account: string; currency: string; sum: number }>`
    select account, currency, sum(amount)::bigint as sum from (
      select account, currency, amount from ledger_entry
        where account in ('provider', 'fees') and provider = ${provider}
      union all
      select account, currency, amount from movement_entry
        where account in ('settled', 'exchange') and provider = ${provider}
    ) entry group by account, currency`.execute(tx);
  const of = (...accounts: string[]) =>
    sumsOf(
      rows
        .filter(({ account }) => accounts.includes(account))
        .map(({ currency, sum: net }) => ({ currency, net })),
    );
  return { balances: of('provider', 'settled'), fees: of('fees'), exchange: of('exchange') };
}

/** Movements that another process booked while the gateway was read. */
async function newerMovements(tx: Db, provider: Provider, now: Date, { movements }: GatewayStatement) {
  const listed = new Set(movements.map(({ id }) => id));
  const rows = await tx
    .selectFrom('gateway_movement')
    .select(['id', 'currency', 'amount', 'sold_currency', 'sold_amount', 'rate'])
    .where('provider', '=', provider)
    .where('booked_at', '>=', now)
    .execute();
  return rows
    .filter(({ id }) => !listed.has(id))
    .map(({ currency, amount: net, sold_currency, sold_amount, rate }) => ({
      currency,
      net,
      ...(sold_currency !== null && { sold: { currency: sold_currency, net: sold_amount!, rate: rate! } }),
    }));
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
