import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { AttemptStatus } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault, type Refusal, refuseFields } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import {
  type AttemptRef,
  nothingMade,
  type PaymentMethod,
  type Reported,
} from '../../../ports/payment-gateway.ts';
import { dueOf, lockInvoice } from '../../billing/index.ts';
import { type PaymentDeps, subjectsOf } from '../deps.ts';
import { gatewayCustomerFor, isForgotten, newGuest, newPayerRef } from '../gateway-customers.ts';
import { letGo } from '../saved-method/saved-methods.ts';
import {
  type Attempt,
  attemptById,
  attemptRef,
  attemptsOf,
  countFor,
  countTry,
  gatewayOf,
  insertAttempt,
  isOpen,
  isOver,
  nextTry,
} from '../store.ts';
import { neverTake } from './capture.ts';
import { followPayment, takeFirstAnswer } from './follow-payment.ts';

/** A payment that is being made, and what its page does next. */
export type OpenPayment = { method: PaymentMethod; payable: Payable };

/** What a page does with an attempt: what its provider says, or to wait while its money is looked at. */
export function openPaymentOf(
  method: PaymentMethod,
  status: AttemptStatus,
  reported: Reported | 'unknown',
): OpenPayment | undefined {
  const payable = reported === 'unknown' ? undefined : reported.payable;
  if (status === 'processing') return { method, payable: payable ?? { kind: 'wait' } };
  return status === 'open' && payable ? { method, payable } : undefined;
}

/**
 * What a customer has saved, by its id. `most`: he is not there, as it renews; so many charges of that kind the invoice may
 * have seen with this one, so that the same job again makes no other. `owner`: whose it is, and what he is called as a payer,
 * where that is known.
 */
type Saved = { id: string; most?: number; owner?: { customerId: string; gatewayCustomerId: string } };

/** Whoever pays by hand. */
type ByHand = { customerId: string | null; names: string[] };

/** By then a provider that has charged what was saved says so when it is asked: news and lists come late. */
const CHARGED_MS = 30 * 60_000;

/** So long a provider may need to list what it has taken, and some more. */
const LISTED_MS = 6 * 60 * 60_000;

/** What its payer is told to choose otherwise where a provider makes no payment as it was asked for. */
const NOT_MADE = { email: 'form.email.invalid', paymentMethod: 'form.paymentMethod.unavailable' } as const;

/** An attempt that is refused while it is opened is replaced; more often than this in one call is a fault. */
const ROUNDS = 8;

/**
 * A payment that the page can go on with, for an invoice that takes money. Repeated calls (double click, reload, second
 * tab) get the same one; one that was refused, or of another method, is closed at the provider first, so that two can
 * never both be paid.
 * @param saved what is charged instead of asking its owner: once, and refused it is not asked again
 * @param payer who pays by hand, and the names under which a refusal by their bank is counted
 * @returns the payment, of another method where that one's money is on its way; undefined when there is nothing to pay: the
 *   invoice is paid, or what was saved is refused; a refusal where its provider makes none as it was asked for
 * @throws NamedFault when the provider does not answer; nothing is lost, the same call goes on
 */
export async function openPayment(
  deps: PaymentDeps,
  invoiceId: string,
  method: PaymentMethod,
  saved?: Saved,
  payer?: ByHand,
): Promise<Refusal | OpenPayment | undefined> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { attempt, inTheWay, refused: untaken } = await openOrNew(deps, invoiceId, method, saved, payer);
    if (untaken) return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
    for (const other of inTheWay) await closeAttempt(deps, other);
    if (inTheWay.length > 0) continue;
    if (!attempt) return undefined;
    failPoint('attempt.created');
    const gateway = gatewayOf(deps.gateways, attempt.method);
    const reported = attempt.provider_ref
      ? await gateway.ask(await attemptRef(deps.db, attempt))
      : await findAttempt(deps, attempt);
    // Forgotten there, and nobody's money but by our call: the next round begins another.
    if (reported === 'unknown' && gateway.capture && (await neverTake(deps, attempt))) continue;
    if (reported === 'unknown') throw new NamedFault('providerUnreachable');
    const followed =
      (await takeFirstAnswer(deps, attempt, reported)) ?? (await followPayment(deps, attempt, reported));
    failPoint('attempt.sent');
    if (reported.notMade && followed.status === 'closed') {
      const { field, cause } = reported.notMade;
      // Ours to mend: the attempt has come to its end, and somebody has to hear of it.
      if (!field) throw cause;
      if (!saved) return refuseFields({ [field]: NOT_MADE[field] });
    }
    // What was saved is charged once: its bank fines who goes on.
    const refused = followed.status === 'failed' || followed.status === 'closed';
    if (saved && attempt.saved_method_id && refused) {
      if (reported.gone) await letGoOf(deps, attempt);
      return undefined;
    }
    // Nobody looks at what is left to pay.
    if (saved?.most && followed.status === 'succeeded') return undefined;
    // Refused in the meantime: the next round closes it and opens a new one. Paid: it finds nothing more to pay, or the rest.
    if (!isOpen(followed)) continue;
    // Somebody else's try was faster and made another payment: only that one is followed, so only that one is given out.
    if (followed.provider_ref !== reported.ref) continue;
    return openPaymentOf(attempt.method, followed.status, reported);
  }
  throw new NamedFault('providerUnreachable');
}

const letGoOf = ({ db }: PaymentDeps, { customer_id, saved_method_id }: Attempt) =>
  db.transaction().execute(tx => letGo(tx, customer_id!, saved_method_id!));

/** Under the lock of the invoice: its open attempt of this method, or a new one, or what must be closed before. */
function openOrNew(
  deps: PaymentDeps,
  invoiceId: string,
  method: PaymentMethod,
  saved: Saved | undefined,
  payer: ByHand | undefined,
) {
  const { db, clock, gateways, holdActive, announce } = deps;
  type Found = { attempt?: Attempt; inTheWay: Attempt[]; refused?: true };
  return db.transaction().execute(async (tx): Promise<Found> => {
    const { customerId } = saved?.owner ?? payer ?? (await customerOf(tx, invoiceId));
    // Before the invoice is locked, as everywhere: an account that ends waits for its orders.
    if (customerId !== null && !(await holdActive(tx, customerId))) return { inTheWay: [] };
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice.due === undefined) return { inTheWay: [] };
    if (payer && !gateways[method]?.takes(invoice.currency, invoice.due))
      return { inTheWay: [], refused: true };
    const attempts = await attemptsOf(tx, invoiceId);
    // What a guest began is not gone on with by who has logged in: its payer is another.
    // And what asks for more than is missing by now, or is over, is offered again.
    const fits = (other: Attempt) =>
      other.method === method &&
      (!saved || other.saved_method_id !== null) &&
      other.customer_id === invoice.customerId &&
      other.amount === invoice.due &&
      !isOver(other, clock.now());
    // What was saved may be charged already: how that went is found out, whatever is wanted now.
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
    });
    // In one transaction with the try: nobody sees an order as refused that is being paid.
    if (attempts.length > 0) await announce(tx, { news: 'retried', ...subjectsOf(invoice) });
    return { attempt, inTheWay };
  });
}

const customerOf = (tx: Db, invoiceId: string) =>
  tx
    .selectFrom('invoice')
    .select('customer_id as customerId')
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();

/**
 * Sends an attempt to its provider, or sends it again: with the same key while no answer came. A provider that *answers*
 * with a fault repeats that answer for the key, also a day after the fault is over, so it is tried once more at once, with
 * another; so it is where its payer was deleted there, who is introduced again. That is safe where nobody holds what he would
 * need to pay the earlier one, since its secret never reached us. What was saved needs nobody: it may have been charged. It
 * gets another key only when that would have been found by now.
 */
async function startAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const gatewayCustomerId = attempt.gateway_customer_id!;
  for (let again = false; ; again = true) {
    // Whoever has saved something there is known there.
    const known = attempt.saved_method_id ? undefined : await newPayerRef(deps, gateway, gatewayCustomerId);
    const { tries, ref } = await countTry(deps.db, attempt, known);
    if (attempt.by_saved && !ref.savedRef) return chargedWithout(deps, attempt, ref);
    try {
      const reported = await gateway.start(ref);
      failPoint('provider.paymentMade');
      return reported;
    } catch (error) {
      const broken = error instanceof NamedFault && error.answered && !mayBeCharged(deps, attempt);
      const spent =
        broken || (await isForgotten(deps, error, { id: gatewayCustomerId, ref: ref.gatewayCustomerRef }));
      if (spent) await nextTry(deps.db, { ...attempt, tries });
      if (!spent || again) throw error;
    }
  }
}

/**
 * Its owner has removed what it was to be charged to. Sent without, it would be another payment; whether the first call has
 * charged it its provider says within some hours.
 */
function chargedWithout({ clock }: PaymentDeps, { tries, created_at }: Attempt, ref: AttemptRef): Reported {
  if (tries > 0 && clock.now().getTime() - created_at.getTime() < LISTED_MS)
    throw new NamedFault('providerUnreachable');
  return { ...nothingMade(ref), decline: 'resource_missing' };
}

const mayBeCharged = ({ clock }: PaymentDeps, { by_saved, created_at }: Attempt): boolean =>
  by_saved && clock.now().getTime() - created_at.getTime() < CHARGED_MS;

/** Closes an attempt at its provider and follows what it says; money that was faster counts. */
export async function closeAttempt(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  if (!gateway.close) return closeUntaken(deps, attempt);
  let current = attempt;
  if (!current.provider_ref) {
    if (await closeUnsent(deps, attempt)) return;
    // Whether it reached the provider is not known: found, or sent again, it has a name to close it by. What is kept would be
    // charged by being sent: for what takes no money any more it is only asked about.
    const sends = !attempt.by_saved || (await dueOf(deps.db, attempt.invoice_id)).due !== undefined;
    const found = sends ? await findAttempt(deps, attempt) : await askCharged(deps, attempt);
    const { status } = await followPayment(deps, attempt, found);
    // It was refused, and never made.
    if (status === 'closed') return;
    current = { ...attempt, provider_ref: found.ref };
  }
  const reported = await gateway.close(await attemptRef(deps.db, current));
  if (reported === 'unknown') throw new NamedFault('providerUnreachable');
  await followPayment(deps, current, reported);
}

/** What a call whose answer was lost has charged; nothing where its provider would say so by now. */
async function askCharged(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const ref = await attemptRef(deps.db, attempt);
  const found = await gatewayOf(deps.gateways, attempt.method).ask(ref);
  if (found !== 'unknown') return found;
  if (mayBeCharged(deps, attempt)) throw new NamedFault('providerUnreachable');
  return nothingMade(ref);
}

/** Closes what only we would take: its provider is asked where somebody may have taken it. */
async function closeUntaken(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  // A kept account is charged by the first call, whose answer may be lost.
  const charged = attempt.by_saved && attempt.tries > 0;
  if (!charged && (await neverTake(deps, attempt))) return;
  const now = (await attemptById(deps.db, attempt.id))!;
  const asked = { ...now, provider_ref: now.provider_ref ?? attempt.provider_ref };
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const reported = await gateway.ask(await attemptRef(deps.db, asked));
  if (reported === 'unknown') {
    const listed = deps.clock.now().getTime() - attempt.created_at.getTime() > LISTED_MS;
    if (charged && listed && (await neverTake(deps, attempt, asked))) return;
    throw new NamedFault('providerUnreachable');
  }
  if (reported.state === 'open' || reported.state === 'approved') await neverTake(deps, attempt, asked);
  else await followPayment(deps, asked, reported);
}

/** What never left this house needs nobody's word. @returns whether it is closed, by whomever */
async function closeUnsent({ db, clock }: PaymentDeps, { id }: Attempt): Promise<boolean> {
  await db
    .updateTable('attempt')
    .set(eb => ({ status: 'closed', version: eb('version', '+', 1), updated_at: clock.now(), ask_at: null }))
    .where('id', '=', id)
    .where('status', '=', 'created')
    .where('tries', '=', 0)
    .execute();
  return (await attemptById(db, id))!.status === 'closed';
}

/** An attempt whose answer was lost: looked for, and when nothing is found sent again with its key. */
export async function findAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const found =
    attempt.tries > 0 ? await gateway.ask(await attemptRef(deps.db, attempt)) : ('unknown' as const);
  return found === 'unknown' ? startAttempt(deps, attempt) : found;
}
