import type { Db } from '../../../ports/database.ts';
import type { Card, Provider } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { forgetLater } from './forget-methods.ts';
import { deleteMethod, methodsOf, setDefault } from './saved-methods.ts';
import { expiryNoticeAt, methodColumns } from './store-method.ts';

/**
 * Follows a webhook about a saved method. The gateway is asked for the card's current state, so that order and number of
 * webhooks do not matter. A card that its network has renewed gets its new expiry; one that cannot be charged any more is
 * deleted.
 */
export async function followMethod(deps: PaymentDeps, provider: Provider, ref: string): Promise<void> {
  const { db, gateways } = deps;
  const known = await savedAs(db, provider, ref);
  if (!known) return;
  const gateway = gatewayOf(gateways, known.method);
  // A PayPal account does not change: the only webhook about it is its end.
  const card = await gateway.cards?.readSaved(ref);
  await db.transaction().execute(tx => applyReported(deps, tx, known, card));
}

type SavedRow = Awaited<ReturnType<typeof savedAs>> & object;

const savedAs = (db: Db, provider: Provider, ref: string) =>
  db
    .selectFrom('saved_method')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'saved_method.gateway_customer_id')
    .selectAll('saved_method')
    .where('gateway_customer.provider', '=', provider)
    .where('saved_method.provider_ref', '=', ref)
    .executeTakeFirst();

/** @param known the row as it was before the gateway was asked */
async function applyReported(
  deps: PaymentDeps,
  tx: Db,
  known: SavedRow,
  card: Card | undefined,
): Promise<void> {
  const { id, customer_id: customerId } = known;
  const methods = await methodsOf(tx, customerId).forUpdate().execute();
  // Saved again meanwhile, it has another ID there, and this report is of the old one.
  const before = methods.find(method => method.id === id && method.provider_ref === known.provider_ref);
  if (!before) return;
  if (!card) return deleteMethod(tx, customerId, id);
  // Another webhook may have brought newer facts than this answer. The job retries.
  if (cardVersion(before) !== cardVersion(known))
    throw new Error(`${id} has changed while it was asked about`);
  const duplicate = methods.find(
    other => other.id !== id && other.method === 'card' && other.fingerprint === card.fingerprint,
  );
  // The owner has saved the renewed card before: that one stays, so that the card is saved once.
  if (duplicate) {
    if (before.is_default) await setDefault(tx, customerId, duplicate.id);
    await deleteMethod(tx, customerId, id);
    return forgetLater(deps, tx, known.method, known.provider_ref);
  }
  await tx
    .updateTable('saved_method')
    .set({ ...methodColumns(card), fingerprint: card.fingerprint, notify_at: expiryNoticeAt(card, before) })
    .where('id', '=', id)
    .execute();
}

const cardVersion = ({ fingerprint, expiry_month, expiry_year }: SavedRow): string =>
  `${fingerprint} ${expiry_year}-${expiry_month}`;
