import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault, type Refusal, refuseFields } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import { lockInvoice, subjectOf } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { gatewayCustomerFor, newGuest } from '../gateway-customers.ts';
import { deleteMethod } from '../saved-method/index.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { closeUncaptured } from './capture.ts';
import { closeAttempt } from './close-attempt.ts';
import { followPayment, recordFirstAnswer } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './next-action.ts';
import { findAttempt } from './start-attempt.ts';
import { attemptsOf, countFor, insertAttempt, isOpen, isOver } from './store.ts';

/**
 * A saved method, by its ID. `most`: an automatic charge without its owner, and the limit of such charges, this one included,
 * so that a repeated job makes no other. `owner`: the customer and their gateway customer, where known.
 */
type Saved = { id: string; most?: number; owner?: { customerId: string; gatewayCustomerId: string } };

/** A customer or guest who is present and pays, or whoever has the link of the invoice's email. */
type Payer = { customerId: string | null; names: string[]; byLink?: boolean };

/** The attempt to pay, or those to close before it can be created; neither: there is nothing to pay. */
export type Begun = { attempt?: Attempt; inTheWay: Attempt[]; refused?: true };

/** The field to correct where a gateway makes no payment as it was asked for. */
const NOT_MADE = { email: 'form.email.invalid', paymentMethod: 'form.paymentMethod.unavailable' } as const;

/** Limit of rounds in one call. Each replaces an attempt that was refused while it was opened. */
const ROUNDS = 8;

/**
 * Opens a payment for an invoice that takes money, or returns the open one: repeated calls (double click, reload, second
 * tab) get the same. One that was refused, or is of another method, is closed at the gateway first, so that two can never
 * both be paid.
 * @param saved charged instead of asking its owner: once, and not again after a refusal
 * @param payer who pays, and the names under which a refusal by their bank is counted
 * @param begun the result of {@link findOrCreate} in a transaction of the caller, which has committed
 * @returns the payment, of another method where that one's money is in flight; undefined when there is nothing to pay, because
 *   the invoice is paid or the saved method was refused; a refusal where the gateway rejects the payment as requested
 * @throws NamedFault when the gateway does not answer; the same call goes on from there
 */
export async function openPayment(
  deps: PaymentDeps,
  invoiceId: string,
  method: PaymentMethod,
  saved?: Saved,
  payer?: Payer,
  begun?: Begun,
): Promise<Refusal | OpenPayment | undefined> {
  const find = () =>
    deps.db.transaction().execute(tx => findOrCreate(deps, tx, invoiceId, method, saved, payer));
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = round === 0 && begun ? begun : await find();
    const { attempt, inTheWay, refused: untaken } = found;
    if (untaken) return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
    for (const other of inTheWay) await closeAttempt(deps, other);
    if (inTheWay.length > 0) continue;
    if (!attempt) return undefined;
    failPoint('attempt.created');
    const gateway = gatewayOf(deps.gateways, attempt.method);
    const reported = attempt.provider_ref
      ? await gateway.ask(await attemptRef(deps.db, attempt))
      : await findAttempt(deps, attempt);
    // The gateway has deleted it, and only the shop could have captured it: the next round begins another.
    if (reported === 'unknown' && !gateway.close && (await closeUncaptured(deps, attempt))) continue;
    if (reported === 'unknown') throw new NamedFault('providerUnreachable');
    const followed =
      (await recordFirstAnswer(deps, attempt, reported)) ?? (await followPayment(deps, attempt, reported));
    failPoint('attempt.sent');
    if (reported.notMade && followed.status === 'closed') {
      const { field, cause } = reported.notMade;
      // A fault of the shop: the attempt is closed, and the error must be logged.
      if (!field) throw cause;
      if (!saved) return refuseFields({ [field]: NOT_MADE[field] });
    }
    // A saved method is charged once: banks fine merchants who repeat a declined charge.
    const refused = followed.status === 'failed' || followed.status === 'closed';
    if (saved && attempt.saved_method_id && refused) {
      if (reported.gone) await deleteGoneMethod(deps, attempt);
      return undefined;
    }
    // No customer is present to pay the rest.
    if (saved?.most && followed.status === 'succeeded') return undefined;
    // Refused in the meantime: the next round closes it and opens a new one. Paid: it finds nothing more to pay, or the rest.
    if (!isOpen(followed)) continue;
    // A concurrent request created a different payment. Only that one is tracked, so only that one may be returned.
    if (followed.provider_ref !== reported.ref) continue;
    return openPaymentOf(attempt.method, followed.status, reported);
  }
  throw new NamedFault('providerUnreachable');
}

const deleteGoneMethod = ({ db }: PaymentDeps, { customer_id, saved_method_id }: Attempt) =>
  db.transaction().execute(tx => deleteMethod(tx, customer_id!, saved_method_id!));

/** Under the lock of the invoice: finds its open attempt of this method, or those to close first, or creates a new one. */
export async function findOrCreate(
  deps: PaymentDeps,
  tx: Db,
  invoiceId: string,
  method: PaymentMethod,
  saved: Saved | undefined,
  payer: Payer | undefined,
): Promise<Begun> {
  const { clock, gateways, holdActive, publish } = deps;
  const byLink = payer?.byLink ?? false;
  const { customerId } = saved?.owner ?? payer ?? (await customerOf(tx, invoiceId));
  // Lock order: the account before the invoice. Deleting an account waits for its orders.
  if (customerId !== null && !(await holdActive(tx, customerId))) return { inTheWay: [] };
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice.due === undefined) return { inTheWay: [] };
  if (payer && !gateways[method]?.takes(invoice.currency, invoice.due))
    return { inTheWay: [], refused: true };
  const attempts = await attemptsOf(tx, invoiceId);
  // A customer cannot continue an attempt that they began as a guest, because its gateway customer is another. An attempt over
  // another amount, or an expired one, is replaced.
  const fits = (other: Attempt) =>
    other.method === method &&
    (!saved || other.saved_method_id !== null) &&
    other.customer_id === invoice.customerId &&
    other.amount === invoice.due &&
    // What a customer has begun saves their method, and is shown to nobody else.
    other.by_link === byLink &&
    !isOver(other, clock.now());
  // A saved method may be charged already: its outcome must be known first.
  const isUnderWay = ({ status, tries, by_saved }: Attempt) =>
    status === 'processing' || (status === 'created' && tries > 0 && by_saved);
  const unattended = attempts.filter(attempt => attempt.unattended);
  if (saved?.most && unattended.length >= saved.most && !attempts.some(isUnderWay)) return { inTheWay: [] };
  const inTheWay = attempts.filter(
    other => other.status === 'failed' || (isOpen(other) && !isUnderWay(other) && !fits(other)),
  );
  if (inTheWay.length > 0) return { inTheWay };
  const open = attempts.find(isOpen);
  if (open) {
    if (payer) await countFor({ db: tx }, invoiceId, payer.names);
    return { attempt: open, inTheWay };
  }
  const { provider } = gatewayOf(gateways, method);
  const newPayer =
    invoice.customerId === null && attempts.length === 0 ? newGuest(provider, clock.now()) : undefined;
  const gatewayCustomerId =
    saved?.owner?.gatewayCustomerId ??
    newPayer?.id ??
    (await gatewayCustomerFor(tx, clock.now(), provider, {
      customerId: invoice.customerId,
      earlier: attempts.at(-1)?.gateway_customer_id ?? undefined,
    }));
  const attempt = await insertAttempt(tx, clock.now(), {
    invoice: { ...invoice, due: invoice.due },
    method,
    gatewayCustomerId,
    newPayer,
    number: attempts.length + 1,
    saved,
    countedFor: payer?.names ?? [],
    byLink,
  });
  // In one transaction with the try: nobody sees an order as refused that is being paid.
  if (attempts.length > 0) await publish(tx, { type: 'paymentRetried', ...subjectOf(invoice) });
  return { attempt, inTheWay };
}

const customerOf = (tx: Db, invoiceId: string) =>
  tx
    .selectFrom('invoice')
    .select('customer_id as customerId')
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
