import type { NotNull } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import { canBeCharged, type PaymentMethod } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { endSavingChecks } from './saving-check.ts';

/** All saved methods of a customer. */
export const methodsOf = (tx: Db, customerId: string) =>
  tx.selectFrom('saved_method').selectAll().where('customer_id', '=', customerId);

/** Makes a method the customer's default, and publishes that. @returns whether they have such a method */
export const makeDefault = (
  { db, holdActive, publish }: PaymentDeps,
  customerId: string,
  id: string,
): Promise<boolean> =>
  db.transaction().execute(async tx => {
    // Lock order: deleting an account locks its subscriptions before its methods, so it must wait here.
    if (!(await holdActive(tx, customerId))) return false;
    // A weaker lock than `for update`: a payment that refers to one of them, with its invoice locked, must not wait.
    const methods = await methodsOf(tx, customerId).forNoKeyUpdate().execute();
    const chosen = methods.find(method => method.id === id);
    if (!chosen) return false;
    if (chosen.is_default) return true;
    await setDefault(tx, customerId, id);
    await publish(tx, { type: 'defaultMethodSet', customerId });
    return true;
  });

/** Makes a method the default: renewals are charged to it from now on. */
export async function setDefault(tx: Db, customerId: string, id: string): Promise<void> {
  const methods = tx.updateTable('saved_method').where('customer_id', '=', customerId);
  await methods.set({ is_default: false }).where('is_default', '=', true).execute();
  await methods.set({ is_default: true }).where('id', '=', id).execute();
}

/**
 * Deletes a method, first at its gateway, so that it cannot be charged there when the shop no longer knows it. The one that
 * was saved last becomes the default.
 * @returns whether the customer has such a method
 */
export async function removeMethod(deps: PaymentDeps, customerId: string, id: string): Promise<boolean> {
  const { db, gateways } = deps;
  const known = await methodsOf(db, customerId).where('id', '=', id).executeTakeFirst();
  if (!known) return false;
  await gatewayOf(gateways, known.method).forget?.(known.provider_ref);
  await db.transaction().execute(tx => deleteMethod(tx, customerId, id));
  return true;
}

/** Deletes a method here. If it was the default, the one that was saved last becomes it. */
export async function deleteMethod(tx: Db, customerId: string, id: string): Promise<void> {
  const methods = await methodsOf(tx, customerId).orderBy('created_at', 'desc').forUpdate().execute();
  await tx.updateTable('attempt').set({ saved_method_id: null }).where('saved_method_id', '=', id).execute();
  await tx.deleteFrom('saved_method').where('id', '=', id).execute();
  const deleted = methods.find(method => method.id === id);
  if (deleted) await endSavingChecks(tx, deleted.provider_ref);
  const next = methods.find(method => method.id !== id);
  if (next && deleted?.is_default) await setDefault(tx, customerId, next.id);
}

/** Cards that a customer has saved. */
export const cardsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .where('customer_id', '=', customerId)
    .where('method', '=', 'card')
    .select(['brand', 'last4', 'expiry_month as expiryMonth', 'expiry_year as expiryYear', 'holder'])
    .$narrowType<{ brand: NotNull; last4: NotNull; expiryMonth: NotNull; expiryYear: NotNull }>();

/** PayPal accounts that a customer has saved. */
export const accountsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .where('customer_id', '=', customerId)
    .where('account', 'is not', null)
    .select('account')
    .$narrowType<{ account: NotNull }>();

/** Whether a saved account is this customer's, and can be charged by this method without a redirect to its gateway. */
export const isSavedAccount = async (
  { db, gateways }: PaymentDeps,
  { id, method, customerId }: { id: string; method: PaymentMethod; customerId: string },
): Promise<boolean> => {
  const saved = await accountsOf(db, customerId).select('method').where('id', '=', id).executeTakeFirst();
  return saved?.method === method && canBeCharged(gateways)(method);
};

/** A customer's saved methods, for the export of their data. */
export async function savedMethodsOf(db: Db, customerId: string) {
  const cards = await cardsOf(db, customerId).select(['consent', 'consented_at']).execute();
  return {
    cards: cards.map(({ consented_at, ...card }) => ({
      ...card,
      consentedAt: consented_at?.toISOString() ?? null,
    })),
    paypalAccounts: await accountsOf(db, customerId).execute(),
  };
}
