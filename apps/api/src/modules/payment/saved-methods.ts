import type { NotNull } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { MethodFacts, Provider } from '../../ports/payment-gateway.ts';
import { newId } from '../../secrets.ts';
import type { PaymentDeps } from './deps.ts';
import { attemptById, attemptRef, attemptsOf, gatewayOf } from './store.ts';

/**
 * Remembers what paid, for renewals: the provider's name for it and what its owner recognises it by. The same card once,
 * however often it is used. It becomes the default only where there is none: changing that needs its owner's step-up.
 */
export async function saveMethod(deps: PaymentDeps, attemptId: string, customerId: string): Promise<void> {
  const { db, clock, gateways, holdActive } = deps;
  const attempt = await attemptById(db, attemptId);
  if (!attempt?.provider_ref || !attempt.payer_id) return;
  const reported = await gatewayOf(gateways, attempt.method).ask(await attemptRef(db, attempt));
  const method = reported !== 'unknown' && reported.method;
  if (!method) return;
  // The job comes again, for about a day.
  if (method === 'later') throw new Error(`What paid ${attemptId} is not to be used again yet`);
  const known = { provider_ref: method.ref, payer_id: attempt.payer_id, ...knownBy(method) };
  await db.transaction().execute(async tx => {
    // The job may come late: an account that ended meanwhile keeps nothing (S83).
    if (!(await holdActive(tx, customerId))) return;
    const hasDefault = await tx
      .selectFrom('saved_method')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('is_default', '=', true)
      .executeTakeFirst();
    await tx
      .insertInto('saved_method')
      .values({
        id: newId('met'),
        customer_id: customerId,
        fingerprint: method.fingerprint,
        ...known,
        is_default: !hasDefault,
        created_at: clock.now(),
      })
      .onConflict(conflict => conflict.columns(['customer_id', 'method', 'fingerprint']).doUpdateSet(known))
      .execute();
  });
}

/** What an owner recognises his method by, as it is kept. */
const knownBy = (method: MethodFacts) =>
  'account' in method
    ? { method: 'paypal' as const, account: method.account }
    : {
        method: 'card' as const,
        brand: method.brand,
        last4: method.last4,
        expiry_month: method.expiryMonth,
        expiry_year: method.expiryYear,
      };

/** Its provider charges it no more: its owner withdrew it there, or it has ended. */
export async function dropMethod(tx: Db, provider: Provider, ref: string): Promise<void> {
  const gone = tx
    .selectFrom('saved_method')
    .innerJoin('payer', 'payer.id', 'saved_method.payer_id')
    .select('saved_method.id')
    .where('payer.provider', '=', provider)
    .where('saved_method.provider_ref', '=', ref);
  await tx
    .updateTable('attempt')
    .set({ saved_method_id: null })
    .where('saved_method_id', 'in', gone)
    .execute();
  await tx.deleteFrom('saved_method').where('id', 'in', gone).execute();
}

/**
 * A guest's payment becomes that of the account which it made or was for.
 * @param keepsPayer whether the account is the payer's own: made by this purchase, not one that was there before
 * @returns the attempt that paid, where what it was paid with can be kept for the account
 */
export async function givePayment(
  tx: Db,
  invoiceId: string,
  customerId: string,
  keepsPayer: boolean,
): Promise<string | undefined> {
  const attempts = await attemptsOf(tx, invoiceId);
  await tx
    .updateTable('attempt')
    .set({ customer_id: customerId })
    .where('invoice_id', '=', invoiceId)
    .execute();
  const ids = attempts.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.updateTable('refund').set({ customer_id: customerId }).where('attempt_id', 'in', ids).execute();
    await tx.updateTable('receipt').set({ customer_id: customerId }).where('attempt_id', 'in', ids).execute();
  }
  const paid = attempts.find(attempt => attempt.status === 'succeeded' && attempt.excess < attempt.received);
  if (!keepsPayer || !paid?.payer_id) return undefined;
  // Who paid as a guest before he logged in keeps the payer that his account has had at that provider.
  await tx
    .updateTable('payer')
    .set({ customer_id: customerId })
    .where('id', '=', paid.payer_id)
    .where('customer_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payer as his')
            .select('his.id')
            .where('his.customer_id', '=', customerId)
            .whereRef('his.provider', '=', 'payer.provider'),
        ),
      ),
    )
    .execute();
  const payer = await tx
    .selectFrom('payer')
    .select('customer_id')
    .where('id', '=', paid.payer_id)
    .executeTakeFirstOrThrow();
  return payer.customer_id === customerId ? paid.id : undefined;
}

/** An ended account keeps no way to pay. */
export async function erasePayment(tx: Db, customerId: string): Promise<void> {
  await tx
    .updateTable('attempt')
    .set({ saved_method_id: null })
    .where('customer_id', '=', customerId)
    .execute();
  await tx.deleteFrom('saved_method').where('customer_id', '=', customerId).execute();
}

/** Saved cards of a customer. */
export const cardsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .where('customer_id', '=', customerId)
    .where('method', '=', 'card')
    .select(['brand', 'last4', 'expiry_month as expiryMonth', 'expiry_year as expiryYear'])
    .$narrowType<{ brand: NotNull; last4: NotNull; expiryMonth: NotNull; expiryYear: NotNull }>();

/** A customer's saved methods, for the export of his data. */
export const savedMethodsOf = async (db: Db, customerId: string) => ({
  cards: await cardsOf(db, customerId).execute(),
  paypalAccounts: await db
    .selectFrom('saved_method')
    .select('account')
    .where('customer_id', '=', customerId)
    .where('account', 'is not', null)
    .$narrowType<{ account: NotNull }>()
    .execute(),
});
