import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type GatewayMovement, type GatewayStatement, isSale } from '../../ports/gateway-books.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import { raiseAlert } from '../alert/index.ts';

/** Rows written by one statement. */
const BATCH = 1_000;

/**
 * Books the movements of a gateway that we do not keep yet: payouts, its bills, adjustments and reserves, and what it has
 * converted of our sales. Raises an alert for a payout to a bank account that staff has not confirmed.
 */
export async function bookMovements(
  db: Db,
  now: Date,
  provider: Provider,
  { movements }: GatewayStatement,
): Promise<void> {
  const candidates = movements.filter(movement => !isSale(movement) || movement.sold);
  const kept = await keptOf(db, provider, candidates);
  const ours = await oursOf(db, candidates.filter(isSale));
  const fresh = candidates.filter(
    movement => !kept.has(movement.id) && (!isSale(movement) || ours.has(movement.of)),
  );
  for (let start = 0; start < fresh.length; start += BATCH) {
    const batch = fresh.slice(start, start + BATCH);
    await db.transaction().execute(async tx => {
      const written = await tx
        .insertInto('gateway_movement')
        .values(batch.map(movement => rowOf(provider, now, movement)))
        .onConflict(conflict => conflict.doNothing())
        .returning(['id', 'destination'])
        .execute();
      await alertDestinations(tx, now, provider, batch, new Set(written.map(({ id }) => id)));
    });
  }
}

/** IDs of those movements that we keep. */
export async function keptOf(
  db: Db,
  provider: Provider,
  movements: readonly Pick<GatewayMovement, 'id'>[],
): Promise<Set<string>> {
  if (movements.length === 0) return new Set();
  const rows = await db
    .selectFrom('gateway_movement')
    .select('id')
    .where('provider', '=', provider)
    .where('id', '=', anyOf(movements.map(({ id }) => id)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** References of those sales that our books know. */
async function oursOf(db: Db, sales: readonly GatewayMovement[]): Promise<Set<string | null | undefined>> {
  if (sales.length === 0) return new Set();
  const refs = (kind: GatewayMovement['kind']) =>
    anyOf(sales.flatMap(movement => (movement.kind === kind && movement.of ? [movement.of] : [])));
  const rows = await db
    .selectFrom('attempt')
    .select('provider_ref as ref')
    .where('status', '=', 'succeeded')
    .where('provider_ref', '=', refs('payment'))
    .union(
      db
        .selectFrom('attempt')
        .select('charge_ref as ref')
        .where('status', '=', 'succeeded')
        .where('charge_ref', '=', refs('payment')),
    )
    .union(db.selectFrom('refund').select('provider_ref as ref').where('provider_ref', '=', refs('refund')))
    .union(db.selectFrom('dispute').select('provider_ref as ref').where('provider_ref', '=', refs('dispute')))
    .execute();
  return new Set(rows.map(({ ref }) => ref));
}

const rowOf = (provider: Provider, now: Date, movement: GatewayMovement) => ({
  provider,
  id: movement.id,
  kind: movement.kind,
  category: movement.category,
  source_ref: movement.of ?? null,
  currency: movement.currency,
  amount: movement.net,
  sold_currency: movement.sold?.currency ?? null,
  sold_amount: movement.sold?.net ?? null,
  rate: movement.sold?.rate ?? null,
  description: movement.description ?? null,
  destination: movement.destination ?? null,
  moved_at: movement.at,
  booked_at: now,
});

/** A payout is the operator's own only once staff has found it on the statement of their bank. */
async function alertDestinations(
  tx: Db,
  now: Date,
  provider: Provider,
  batch: readonly GatewayMovement[],
  written: ReadonlySet<string>,
): Promise<void> {
  const payouts = batch.filter(({ id, kind }) => kind === 'payout' && written.has(id));
  if (payouts.length === 0) return;
  const known = new Set(
    (
      await tx
        .selectFrom('gateway_movement')
        .select('destination')
        .distinct()
        .where('provider', '=', provider)
        .where('kind', '=', 'payout')
        .where('arrived_at', 'is not', null)
        .execute()
    ).map(({ destination }) => destination),
  );
  for (const { id, of, currency, net, destination = null } of payouts) {
    if (known.has(destination)) continue;
    const subject = destination ?? provider;
    await raiseAlert(tx, now, {
      kind: 'payout.destination',
      subject,
      what: { payout: of ?? id, currency, amount: -net },
    });
  }
}

const anyOf = (names: readonly string[]) => sql<string>`any(${names})`;
