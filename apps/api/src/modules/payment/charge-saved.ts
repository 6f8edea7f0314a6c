import { isChargedByUs } from '@fixpoint/domain/subscription/renewal.ts';
import type { Db } from '../../ports/database.ts';
import { dueOf, lastPaidBy } from '../billing/index.ts';
import type { PaymentDeps } from './deps.ts';
import { openPayment } from './open-payment.ts';
import { attemptsOf } from './store.ts';

/**
 * Charges an open invoice by the method that its customer saved, without his hand. Whatever was begun before and may
 * still take money is asked about or closed first: an unknown outcome is never charged again.
 * @param most so many such charges the invoice may have seen with this one
 * @returns whether that could be done; else its customer is to pay by his own hand
 */
export async function chargeSaved(deps: PaymentDeps, invoiceId: string, most: number): Promise<boolean> {
  const { db, gateways } = deps;
  const { customer_id: customerId, currency } = await db
    .selectFrom('invoice')
    .select(['customer_id', 'currency'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const attempts = await attemptsOf(db, invoiceId);
  const made = attempts.filter(({ unattended }) => unattended);
  const saved = customerId === null ? undefined : await defaultMethod(db, customerId).executeTakeFirst();
  const gateway = saved && gateways[saved.method];
  const chargeable = gateway?.renewsByItself && gateway.takes(currency, (await dueOf(db, invoiceId)).due);
  // It would be refused again, unless its owner has set it up anew since: his bank has looked at it then.
  const setUpAt = saved?.consented_at?.getTime() ?? 0;
  const spent = made.some(
    ({ hard, saved_method_id, created_at }) =>
      hard && saved_method_id === saved?.id && created_at.getTime() >= setUpAt,
  );
  if (made.length < most && (!chargeable || spent)) return false;
  if (saved) await openPayment(deps, invoiceId, saved.method, { id: saved.id, most });
  return true;
}

const defaultMethod = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .select(['id', 'method', 'consented_at'])
    .where('customer_id', '=', customerId)
    .where('is_default', '=', true);

/** Whether a subscription's renewal is charged by us. */
export async function renewsByItself(
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  tx: Db,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
): Promise<boolean> {
  const saved = await defaultMethod(tx, customerId)
    .select(({ val }) => lastPaidBy(tx, val(subscriptionId)).as('last'))
    .executeTakeFirst();
  const methods = { saved: saved?.method ?? null, last: saved?.last ?? null };
  return isChargedByUs(methods, method => gateways[method]?.renewsByItself === true);
}
