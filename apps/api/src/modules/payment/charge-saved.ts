import { payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../failpoints.ts';
import type { Db } from '../../ports/database.ts';
import { lockInvoice } from '../billing/index.ts';
import { askAttempt } from './ask-attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { followPayment } from './follow-payment.ts';
import { closeAttempt, startAttempt } from './open-payment.ts';
import { type Attempt, attemptsOf, insertAttempt, isOpen } from './store.ts';

/**
 * Charges an open invoice by the method that its customer saved, without his hand. Whatever was begun before and may
 * still take money is asked about or closed first: an unknown outcome is never charged again.
 */
export async function chargeSaved(
  deps: PaymentDeps,
  invoiceId: string,
  wish: Wish,
): Promise<'charged' | 'asked' | 'nothing' | 'byHand'> {
  const found = await chargeOrOther(deps, invoiceId, wish);
  if ('asks' in found) {
    await askAttempt(deps, found.asks.id);
    return 'asked';
  }
  if ('closes' in found) {
    for (const attempt of found.closes) await closeAttempt(deps, attempt);
    return chargeSaved(deps, invoiceId, wish);
  }
  if (!('charges' in found)) return found.why;
  failPoint('renewal.attempted');
  const reported = await startAttempt(deps, found.charges);
  failPoint('renewal.charged');
  await followPayment(deps, found.charges, reported);
  return 'charged';
}

/**
 * `most`: so many charges of saved methods the invoice may have seen with this one, so that the same job again makes no
 * other. `methodId`: the one that its customer asks for, also where it was refused before.
 */
export type Wish = { most: number; methodId?: never } | { methodId: string; most?: never };

type Found = { charges: Attempt } | { asks: Attempt } | { closes: Attempt[] } | { why: 'nothing' | 'byHand' };

function chargeOrOther(
  { db, clock, gateways, holdActive }: PaymentDeps,
  invoiceId: string,
  { most = Number.POSITIVE_INFINITY, methodId }: Wish,
) {
  return db.transaction().execute(async (tx): Promise<Found> => {
    const { customer_id: customerId } = await tx
      .selectFrom('invoice')
      .select('customer_id')
      .where('id', '=', invoiceId)
      .executeTakeFirstOrThrow();
    if (customerId === null || !(await holdActive(tx, customerId))) return { why: 'nothing' };
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice.due === undefined) return { why: 'nothing' };
    const attempts = await attemptsOf(tx, invoiceId);
    const open = attempts.find(isOpen);
    // Its outcome is not known, or its owner has done his part.
    if (open && (open.status !== 'open' || open.saved_method_id)) return { asks: open };
    if (attempts.filter(({ saved_method_id }) => saved_method_id).length >= most) return { why: 'nothing' };
    const saved = await savedMethod(tx, customerId, methodId);
    const gateway = saved && gateways[saved.method];
    if (!saved || !gateway?.renewsByItself || !gateway.takes(invoice.currency)) return { why: 'byHand' };
    // It would be refused again.
    if (!methodId && attempts.some(({ hard, saved_method_id }) => hard && saved_method_id === saved.id)) {
      return { why: 'byHand' };
    }
    const inTheWay = attempts.filter(({ status }) => payableAttempt.includes(status));
    if (inTheWay.length > 0) return { closes: inTheWay };
    const charges = await insertAttempt(tx, clock.now(), {
      invoice: { ...invoice, due: invoice.due },
      method: saved.method,
      payerId: saved.payer_id,
      number: attempts.length + 1,
      savedMethodId: saved.id,
    });
    return { charges };
  });
}

/** A method of his; without its id, the default one. */
const savedMethod = (db: Db, customerId: string, methodId?: string) =>
  db
    .selectFrom('saved_method')
    .select(['id', 'method', 'payer_id'])
    .where('customer_id', '=', customerId)
    .where(({ eb }) => (methodId ? eb('id', '=', methodId) : eb('is_default', '=', true)))
    .executeTakeFirst();

/**
 * Whether a subscription's renewal is charged by us: its customer has a method that can be, and paid the last time with
 * one. Who bought with coins while a card of his was kept for something else is asked, not charged.
 */
export async function renewsByItself(
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  tx: Db,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
): Promise<boolean> {
  const saved = await savedMethod(tx, customerId);
  if (!saved || !gateways[saved.method]?.renewsByItself) return false;
  const last = await tx
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select('attempt.method')
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where('attempt.status', '=', 'succeeded')
    .whereRef('attempt.excess', '<', 'attempt.received')
    .orderBy('invoice.paid_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last === undefined || gateways[last.method]?.renewsByItself === true;
}
