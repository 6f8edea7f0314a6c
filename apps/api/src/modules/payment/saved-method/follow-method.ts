import type { Db } from '../../../ports/database.ts';
import type { Card, Provider } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { forgetLater } from './forget-methods.ts';
import { deleteMethod, methodsOf, setDefault } from './saved-methods.ts';
import { expiryNoticeAt, methodColumns } from './store-method.ts';

/**
 * A webhook names a method that a customer may have saved. The gateway is asked for the card's present state, so that order
 * and number of webhooks do not matter. A card that its network has renewed gets its new expiry; one that can be charged no
 * more is deleted.
 */
export async function followMethod(deps: PaymentDeps, provider: Provider, ref: string): Promise<void> {
  const { db, gateways } = deps;
  const known = await savedAs(db, provider, ref);
  if (!known) return;
  const gateway = gatewayOf(gateways, known.method);
  // A PayPal account does not change: the only webhook about it is its end.
  const card = await gateway.cards?.readSaved(ref);
  await db.transaction().execute(tx => takeOver(deps, tx, known, card));
}

type Kept = Awaited<ReturnType<typeof savedAs>> & object;

const savedAs = (db: Db, provider: Provider, ref: string) =>
  db
    .selectFrom('saved_method')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'saved_method.gateway_customer_id')
    .selectAll('saved_method')
    .where('gateway_customer.provider', '=', provider)
    .where('saved_method.provider_ref', '=', ref)
    .executeTakeFirst();

/** @param known as it was when its provider was asked */
async function takeOver(deps: PaymentDeps, tx: Db, known: Kept, card: Card | undefined): Promise<void> {
  const { id, customer_id: customerId } = known;
  const his = await methodsOf(tx, customerId).forUpdate().execute();
  // Saved again meanwhile it has another name there, and this one tells nothing of it.
  const before = his.find(method => method.id === id && method.provider_ref === known.provider_ref);
  if (!before) return;
  if (!card) return deleteMethod(tx, customerId, id);
  // What another webhook brought may be newer than this answer. The job comes again.
  if (printOf(before) !== printOf(known)) throw new Error(`${id} has changed while it was asked about`);
  const double = his.find(
    other => other.id !== id && other.method === 'card' && other.fingerprint === card.fingerprint,
  );
  // Its owner has typed the renewed card before: the same card once, and that one stays.
  if (double) {
    if (before.is_default) await setDefault(tx, customerId, double.id);
    await deleteMethod(tx, customerId, id);
    return forgetLater(deps, tx, known.method, known.provider_ref);
  }
  await tx
    .updateTable('saved_method')
    .set({ ...methodColumns(card), fingerprint: card.fingerprint, notify_at: expiryNoticeAt(card, before) })
    .where('id', '=', id)
    .execute();
}

const printOf = ({ fingerprint, expiry_month, expiry_year }: Kept): string =>
  `${fingerprint} ${expiry_year}-${expiry_month}`;
