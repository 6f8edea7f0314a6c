import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type GatewayBooks, type GatewayStatement, sumsOf } from '../../ports/gateway-books.ts';
import type { PaymentMethod, Provider } from '../../ports/payment-gateway.ts';
import { keptOf } from './movements.ts';
import type { OwnStatement } from './statement.ts';
import type { Effect } from './under-way.ts';

const DAY_MS = 86_400_000;

/** Time span. It has an end, because the planner would otherwise expect a third of all rows. */
type Span = { since: Date; end: Date };
type OwnAttempts = OwnStatement['attempts'];

/** Our statement of a provider since then, including everything that the provider names. */
export async function ownStatement(
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

/** The booked loss of an attempt's coins. */
const lostCoins = sql<number>`coalesce((select sum(withdrawn) from dispute
  where attempt_id = attempt.id and dispute.reason = 'reorganised' and dispute.status = 'lost'), 0)::bigint`;

const ownAttempts = (tx: Db, asOf: Date) =>
  tx
    .selectFrom('attempt')
    .select(['id', 'currency', 'fee', 'updated_at as changedAt'])
    // BTCPay lists no coins that a longer chain took back.
    .select(sql<number>`received - ${lostCoins}`.as('received'))
    .select(sql<boolean>`updated_at > ${asOf}`.as('fresh'))
    // Providers refer to money by the charge, if it has a reference of its own.
    .select(sql<string | null>`coalesce(charge_ref, provider_ref)`.as('ref'))
    .select(sql<boolean>`status = 'succeeded' and received > ${lostCoins}`.as('succeeded'))
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
export async function ownSums(
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
export async function newerMovements(tx: Db, provider: Provider, now: Date, { movements }: GatewayStatement) {
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
export const movingDisputes = (tx: Db, provider: Provider, asOf: Date) =>
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
