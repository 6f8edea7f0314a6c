import { maskCardNumbers } from '@fixpoint/contract/card-number.ts';
import { tellFrom } from '@fixpoint/domain/payment/card.ts';
import { type NotNull, sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import type { Consent } from '../../../ports/json-columns.ts';
import type { MethodFacts, PaymentMethod } from '../../../ports/payment-gateway.ts';
import { paysItsInvoice, unpaidRenewals } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { type Asked, askedAttempt, gatewayOf } from '../store.ts';
import { cardConsent } from './card-consent.ts';
import { forgetLater } from './forget-methods.ts';

/**
 * Remembers what paid, for renewals: the provider's name for it and what its owner recognises it by. The same card once,
 * however often it is used. It becomes the default only where there is none: changing that needs its owner's step-up.
 */
export async function saveMethod(deps: PaymentDeps, attemptId: string, customerId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await askedAttempt(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method || !asked.attempt.gateway_customer_id) return;
  const { attempt, language } = asked;
  // A saved card pays by its owner's hand too, and this may come late: what he has removed since does not come back.
  const { cards } = gatewayOf(gateways, attempt.method);
  if (cards && !(await cards.readSaved(method.ref))) return;
  await keepMethod(deps, {
    customerId,
    gatewayCustomerId: asked.attempt.gateway_customer_id,
    method,
    consent: await cardConsent(db, language),
    // When he pressed Pay beside the sentence.
    consentedAt: attempt.created_at,
  });
}

/**
 * What a payment was made with, where it can be used again.
 * @throws when it will be, and is not there yet: the job comes again, for about a day
 */
async function paidWith(
  { gateways }: PaymentDeps,
  { attempt, ref }: Asked,
): Promise<MethodFacts | undefined> {
  if (!attempt.provider_ref) return undefined;
  const reported = await gatewayOf(gateways, attempt.method).ask(ref);
  const method = reported === 'unknown' ? undefined : reported.method;
  if (method === 'later') throw new Error(`What paid ${attempt.id} is not to be used again yet`);
  return method;
}

/** The other end of a payment that could be used again: where no account keeps what it was made with, nobody does. */
export async function forgetUnsaved(deps: PaymentDeps, attemptId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await askedAttempt(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method) return;
  const kept = await db
    .selectFrom('saved_method')
    .select('id')
    .where('provider_ref', '=', method.ref)
    .executeTakeFirst();
  if (!kept) await gatewayOf(gateways, asked.attempt.method).forget?.(method.ref);
}

type Given = {
  customerId: string;
  gatewayCustomerId: string;
  method: MethodFacts;
  consent: Consent;
  consentedAt: Date;
  /** Its owner wants it to pay from now on. */
  asDefault?: boolean;
};

/**
 * Keeps a method for its owner, the same card once: what the provider called it before is let go there.
 * @returns its id; undefined when the account has ended
 */
export async function keepMethod(deps: PaymentDeps, given: Given): Promise<string | undefined> {
  const { db, clock, holdActive } = deps;
  const { customerId, gatewayCustomerId, method, consent, consentedAt } = given;
  const facts = knownBy(method);
  const known = {
    provider_ref: method.ref,
    gateway_customer_id: gatewayCustomerId,
    ...facts,
    ...(facts.method === 'card' && { consent, consented_at: consentedAt }),
  };
  return db.transaction().execute(async tx => {
    // A job may come late: an account that ended meanwhile keeps nothing (S83), here and at its provider.
    if (!(await holdActive(tx, customerId))) {
      await forgetLater(deps, tx, facts.method, method.ref);
      return undefined;
    }
    // Whoever is charging one of them holds its subscription first.
    if (given.asDefault)
      await unpaidRenewals(tx, customerId)
        .select('subscription.id')
        .orderBy('subscription.id')
        .forUpdate('subscription')
        .execute();
    // A page and a notice bring the same one at once, and neither is there to be locked yet.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`methods of ${customerId}`}, 0))`.execute(tx);
    const his = await methodsOf(tx, customerId).forUpdate().execute();
    const before = his.find(
      other => other.method === facts.method && other.fingerprint === method.fingerprint,
    );
    const row = { ...known, notify_at: tellAt(method, before) };
    const { id } = await tx
      .insertInto('saved_method')
      .values({
        id: newId('met'),
        customer_id: customerId,
        fingerprint: method.fingerprint,
        ...row,
        is_default: !his.some(other => other.is_default),
        created_at: clock.now(),
      })
      .onConflict(conflict => conflict.columns(['customer_id', 'method', 'fingerprint']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    if (given.asDefault) await setDefault(tx, customerId, id);
    // Said twice it is one card that was set up.
    if (given.asDefault && before?.provider_ref !== method.ref) await deps.chargeOwed(tx, customerId);
    if (before && before.provider_ref !== method.ref)
      await forgetLater(deps, tx, before.method, before.provider_ref);
    return id;
  });
}

/** When its owner is told that it runs out: once for each expiry, however often it is used. */
export function tellAt(
  method: MethodFacts,
  before: { expiry_month: number | null; expiry_year: number | null; notify_at: Date | null } | undefined,
): Date | null {
  if ('account' in method) return null;
  const { expiryMonth, expiryYear } = method;
  const isKnown = before?.expiry_month === expiryMonth && before.expiry_year === expiryYear;
  return isKnown ? before.notify_at : tellFrom({ expiryMonth, expiryYear });
}

/** All that a customer has saved. */
export const methodsOf = (tx: Db, customerId: string) =>
  tx.selectFrom('saved_method').selectAll().where('customer_id', '=', customerId);

/** Pays from now on what is paid without its owner's hand. @returns whether there is such a method of his */
export const makeDefault = (
  { db, holdActive, chargeOwed }: PaymentDeps,
  customerId: string,
  id: string,
): Promise<boolean> =>
  db.transaction().execute(async tx => {
    // An account that ends locks its subscriptions before what it has saved: it waits here.
    if (!(await holdActive(tx, customerId))) return false;
    // Not from whoever is making a payment by one of them, with its invoice locked.
    const his = await methodsOf(tx, customerId).forNoKeyUpdate().execute();
    const chosen = his.find(method => method.id === id);
    if (!chosen) return false;
    if (chosen.is_default) return true;
    await setDefault(tx, customerId, id);
    await chargeOwed(tx, customerId);
    return true;
  });

/** One of his pays from now on what is paid without his hand. */
export async function setDefault(tx: Db, customerId: string, id: string): Promise<void> {
  const his = tx.updateTable('saved_method').where('customer_id', '=', customerId);
  await his.set({ is_default: false }).where('is_default', '=', true).execute();
  await his.set({ is_default: true }).where('id', '=', id).execute();
}

/**
 * Lets a method go, first at its provider: what is not known here any more can then not be charged there either. The one
 * that was kept last before it becomes the default.
 * @returns whether there is such a method of his
 */
export async function removeMethod(deps: PaymentDeps, customerId: string, id: string): Promise<boolean> {
  const { db, gateways } = deps;
  const known = await methodsOf(db, customerId).where('id', '=', id).executeTakeFirst();
  if (!known) return false;
  await gatewayOf(gateways, known.method).forget?.(known.provider_ref);
  await db.transaction().execute(tx => letGo(tx, customerId, id));
  return true;
}

/** Keeps a method no more. Was it the default, the one that was kept last before it becomes it. */
export async function letGo(tx: Db, customerId: string, id: string): Promise<void> {
  const his = await methodsOf(tx, customerId).orderBy('created_at', 'desc').forUpdate().execute();
  await forgetRows(tx, [id]);
  const next = his.find(method => method.id !== id);
  const wasDefault = his.some(method => method.id === id && method.is_default);
  if (next && wasDefault) await setDefault(tx, customerId, next.id);
}

/** What an owner recognises his method by, as it is kept. */
export const knownBy = (method: MethodFacts) =>
  'account' in method
    ? { method: 'paypal' as const, account: method.account }
    : {
        method: 'card' as const,
        brand: method.brand,
        last4: method.last4,
        expiry_month: method.expiryMonth,
        expiry_year: method.expiryYear,
        // Some write the number into the field for the name.
        holder: method.holder === undefined ? null : maskCardNumbers(method.holder),
      };

async function forgetRows(tx: Db, gone: readonly string[]): Promise<void> {
  if (gone.length === 0) return;
  await tx
    .updateTable('attempt')
    .set({ saved_method_id: null })
    .where('saved_method_id', 'in', gone)
    .execute();
  await tx.deleteFrom('saved_method').where('id', 'in', gone).execute();
}

/**
 * A guest's payment becomes that of the account which it made or was for. What it was made with is kept for the account, or
 * else forgotten at its provider: a card that stays attached there could be charged by whoever gets at our key.
 * @param keepsGatewayCustomer whether the account is the payer's own: made by this purchase, not one that was there before
 * @returns whether some of it went by a dispute that was lost before
 */
export async function givePayment(
  { jobs }: { jobs: Jobs },
  tx: Db,
  invoiceId: string,
  customerId: string,
  keepsGatewayCustomer: boolean,
): Promise<boolean> {
  const to = { customer_id: customerId };
  const given = await tx
    .with('given', cte =>
      cte
        .updateTable('attempt')
        .set(to)
        .where('invoice_id', '=', invoiceId)
        .returning(['id', 'gateway_customer_id', paysItsInvoice.as('pays')]),
    )
    .with('refunds', cte =>
      cte
        .updateTable('refund')
        .set(to)
        .where('attempt_id', 'in', eb => eb.selectFrom('given').select('id')),
    )
    .with('receipts', cte =>
      cte
        .updateTable('receipt')
        .set(to)
        .where('attempt_id', 'in', eb => eb.selectFrom('given').select('id')),
    )
    .with('paybacks', cte =>
      cte.updateTable('out_of_band_refund').set(to).where('invoice_id', '=', invoiceId),
    )
    .selectFrom('given')
    .select(['id', 'gateway_customer_id', 'pays'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.attempt_id', '=', 'given.id')
            .where('dispute.status', '=', 'lost'),
        )
        .as('lost'),
    )
    .execute();
  const lost = given.some(attempt => attempt.lost);
  const paid = given.find(attempt => attempt.pays);
  if (!paid?.gateway_customer_id) return lost;
  const isHis = keepsGatewayCustomer && (await givePayer(tx, paid.gateway_customer_id, customerId));
  if (isHis) await jobs.enqueue(tx, 'saveMethod', { attemptId: paid.id, customerId });
  else await jobs.enqueue(tx, 'forgetUnsaved', { attemptId: paid.id });
  return lost;
}

/** @returns whether the payer is his; who paid as a guest before he logged in keeps the one that he has had at that provider */
async function givePayer(tx: Db, gatewayCustomerId: string, customerId: string): Promise<boolean> {
  const given = await tx
    .updateTable('gateway_customer')
    .set({ customer_id: customerId })
    .where('id', '=', gatewayCustomerId)
    .where('customer_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gateway_customer as his')
            .select('his.id')
            .where('his.customer_id', '=', customerId)
            .whereRef('his.provider', '=', 'gateway_customer.provider'),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  if (given) return true;
  const gatewayCustomer = await tx
    .selectFrom('gateway_customer')
    .select('customer_id')
    .where('id', '=', gatewayCustomerId)
    .executeTakeFirstOrThrow();
  return gatewayCustomer.customer_id === customerId;
}

/** Saved cards of a customer. */
export const cardsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .where('customer_id', '=', customerId)
    .where('method', '=', 'card')
    .select(['brand', 'last4', 'expiry_month as expiryMonth', 'expiry_year as expiryYear', 'holder'])
    .$narrowType<{ brand: NotNull; last4: NotNull; expiryMonth: NotNull; expiryYear: NotNull }>();

/** Accounts at PayPal that he has kept. */
export const accountsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('saved_method')
    .where('customer_id', '=', customerId)
    .where('account', 'is not', null)
    .select('account')
    .$narrowType<{ account: NotNull }>();

/** Whether a kept account is his, and pays by this method here without leading him to its provider. */
export const isKept = async (
  { db, gateways }: PaymentDeps,
  { id, method, customerId }: { id: string; method: PaymentMethod; customerId: string },
): Promise<boolean> => {
  const kept = await accountsOf(db, customerId).select('method').where('id', '=', id).executeTakeFirst();
  return kept?.method === method && gateways[method]?.renewsByItself === true;
};

/** A customer's saved methods, for the export of his data. */
export const savedMethodsOf = async (db: Db, customerId: string) => ({
  cards: await cardsOf(db, customerId).select(['consent', 'consented_at as consentedAt']).execute(),
  paypalAccounts: await accountsOf(db, customerId).execute(),
});
