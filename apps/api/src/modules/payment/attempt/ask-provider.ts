import { payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../../ports/database.ts';
import { raiseAlert } from '../../alert/index.ts';
import { isMoneyOnItsWay, lockInvoice } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { type Asked, type Attempt, askedAttempt, askedOf, askLater, attemptById } from '../store.ts';
import { closeAttempt } from './close-attempt.ts';
import { countDeclines } from './count-declines.ts';
import { followPayment } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './next-action.ts';
import { findAttempt } from './start-attempt.ts';
import { isOver } from './store.ts';

/** A fee that is not known by then comes with another bill; what is sent to an old address later is told by itself. */
const AFTER_MS = 7 * 24 * 60 * 60_000;
/** A provider that says nothing for this long is somebody's matter. */
const UNKNOWN_MS = 24 * 60 * 60_000;
/** What nobody has paid for this long is closed: whoever still wants to pay gets another. */
const ABANDONED_MS = 3 * 24 * 60 * 60_000;

const payableAgain: ReadonlySet<string> = new Set(['open', 'failed']);

/**
 * Asks how an attempt stands, also when the answer to its first call was lost. One whose invoice takes no money any more,
 * or that nobody pays, is closed at the provider, so that none stays open for life (FM7).
 */
export async function askAttempt(deps: PaymentDeps, attemptId: string): Promise<void> {
  const asked = await askedAttempt(deps.db, eb => eb('id', '=', attemptId));
  if (asked) await ask(deps, asked);
}

/** The same because of a notice of its provider. @returns false when nobody knows it */
export async function askForWebhook(
  deps: PaymentDeps,
  fits: Parameters<typeof askedAttempt>[1],
  told: string,
): Promise<boolean> {
  const asked = await askedAttempt(deps.db, fits);
  if (asked) await ask(deps, asked, told);
  return asked !== undefined;
}

/** @param told the provider's name for it in its own notice: one whose answer was lost has no other */
async function ask(deps: PaymentDeps, asked: Asked, told?: string): Promise<void> {
  const { db, clock, gateways } = deps;
  const { attempt: known, due } = asked;
  const attempt = { ...known, provider_ref: known.provider_ref ?? told ?? null };
  const gateway = gatewayOf(gateways, attempt.method);
  const open = payableAttempt.includes(attempt.status);
  // Its money has come, and what that cost is known: nothing more comes.
  if (attempt.fee !== null && gateway.unapplied === 'refund') return;
  const now = clock.now();
  const quiet = now.getTime() - attempt.updated_at.getTime();
  // First the next time: whatever happens below, it is asked again. A notice is kept until it has been followed.
  if (!open && quiet > AFTER_MS) {
    await db.updateTable('attempt').set({ ask_at: null }).where('id', '=', attempt.id).execute();
  } else if (attempt.ask_at && !told) await askLater(db, 'attempt', now, attempt);
  if (quiet > UNKNOWN_MS) await raiseUnknown(deps, now, attempt);
  const { status } = attempt;
  const over = quiet > ABANDONED_MS || isOver(attempt, now);
  if (payableAttempt.includes(status) && (due === undefined || (over && status !== 'processing'))) {
    return closeAttempt(deps, attempt);
  }
  const reported = attempt.provider_ref
    ? await gateway.ask({ ...asked.ref, providerRef: attempt.provider_ref })
    : await findAttempt(deps, attempt);
  if (reported === 'unknown') return;
  // Closed by us, and could be paid there after all: it is closed again, and money that is faster counts.
  if (status === 'closed' && reported.ref && gateway.close && payableAgain.has(reported.state)) {
    return closeAttempt(deps, { ...attempt, provider_ref: reported.ref });
  }
  await followPayment(deps, attempt, reported);
  await countDeclines(deps, attempt.id, reported);
}

/** Under the lock of the invoice: whoever hears of it meanwhile ends the alert. */
const raiseUnknown = ({ db }: PaymentDeps, now: Date, { id, invoice_id }: Attempt) =>
  db.transaction().execute(async tx => {
    await lockInvoice(tx, invoice_id);
    const { status } = (await attemptById(tx, id))!;
    if (status === 'created' || status === 'processing')
      await raiseAlert(tx, now, { kind: 'attempt.unknown', subject: id, what: { status } });
  });

/**
 * Asks about all attempts of an invoice that could still take money.
 * @returns the one that is being paid, and what its page does next
 */
export async function askInvoice(deps: PaymentDeps, invoiceId: string): Promise<OpenPayment | undefined> {
  let paying: OpenPayment | undefined;
  for (const { attempt, ref } of await takingMoney(deps, invoiceId)) {
    if (!attempt.provider_ref) continue;
    const reported = await gatewayOf(deps.gateways, attempt.method).ask(ref);
    const followed = reported === 'unknown' ? attempt : await followPayment(deps, attempt, reported);
    if (reported !== 'unknown') await countDeclines(deps, attempt.id, reported);
    paying = openPaymentOf(attempt.method, followed.status, reported) ?? paying;
  }
  return paying;
}

/** Closes them at their providers; money that was faster counts. */
export async function closeInvoice(deps: PaymentDeps, invoiceId: string): Promise<void> {
  for (const { attempt } of await takingMoney(deps, invoiceId)) await closeAttempt(deps, attempt);
}

/** Whether its customer has paid an invoice, or a part of it, and his provider has not decided on that yet. */
export const isOnItsWay = async (
  { clock }: PaymentDeps,
  db: Db,
  invoiceId: string,
  onItsWay = isMoneyOnItsWay,
): Promise<boolean> => {
  const sent = await db
    .selectFrom('attempt')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where(onItsWay(clock.now()))
    .limit(1)
    .executeTakeFirst();
  return sent !== undefined;
};

const takingMoney = async ({ db }: PaymentDeps, invoiceId: string): Promise<Asked[]> =>
  (await askedOf(db, invoiceId)).filter(({ attempt }) => payableAttempt.includes(attempt.status));
