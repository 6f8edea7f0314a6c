import type { Db } from '../../ports/database.ts';
import {
  type GatewayBooks,
  type GatewayStatement,
  isSale,
  type MovementKind,
  sumsOf,
} from '../../ports/gateway-books.ts';
import type { Difference } from './check.ts';
import { compare, paymentsDiffer } from './compare.ts';
import { paymentsThere } from './compare-payments.ts';
import { bookMovements } from './movements.ts';
import { movingDisputes, newerMovements, ownStatement, ownSums } from './own-statement.ts';
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
