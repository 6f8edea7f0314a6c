import { payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../../ports/database.ts';
import { raiseAlert } from '../../alert/index.ts';
import { isMoneyOnItsWay, lockInvoice } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import {
  type Attempt,
  type AttemptWithRef,
  askLater,
  attemptById,
  attemptsWithRef,
  attemptWithRef,
} from '../store.ts';
import { closeAttempt } from './close-attempt.ts';
import { countDeclines } from './count-declines.ts';
import { followPayment } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './next-action.ts';
import { findAttempt } from './start-attempt.ts';
import { isOver } from './store.ts';

/** Settled attempts are polled for this long. After that a fee is asked for once as often; later coins come by webhook. */
const AFTER_MS = 7 * 24 * 60 * 60_000;
/** After this long without an answer an alert is raised. */
const UNKNOWN_MS = 24 * 60 * 60_000;
/** An attempt that nobody has paid for this long is closed. A payer who comes later gets another. */
const ABANDONED_MS = 3 * 24 * 60 * 60_000;

const payableAgain: ReadonlySet<string> = new Set(['open', 'failed']);

/**
 * Polls the gateway for the state of an attempt, also when the answer to its first call was lost. Closes one whose invoice
 * takes no money any more, or that nobody pays, so that none stays open for ever.
 */
export async function askAttempt(deps: PaymentDeps, attemptId: string): Promise<void> {
  const asked = await attemptWithRef(deps.db, eb => eb('id', '=', attemptId));
  if (asked) await ask(deps, asked);
}

/** Polls the attempt that a webhook names. @returns false when no attempt fits */
export async function askForWebhook(
  deps: PaymentDeps,
  fits: Parameters<typeof attemptWithRef>[1],
  webhookRef: string,
): Promise<boolean> {
  const asked = await attemptWithRef(deps.db, fits);
  if (asked) await ask(deps, asked, webhookRef);
  return asked !== undefined;
}

/** @param webhookRef the gateway's name for it in its webhook: an attempt whose answer was lost has no other */
async function ask(deps: PaymentDeps, asked: AttemptWithRef, webhookRef?: string): Promise<void> {
  const { db, clock, gateways } = deps;
  const { attempt: known, due } = asked;
  const attempt = { ...known, provider_ref: known.provider_ref ?? webhookRef ?? null };
  const gateway = gatewayOf(gateways, attempt.method);
  const open = payableAttempt.includes(attempt.status);
  // Paid, and its fee is known: nothing more can come.
  if (attempt.fee !== null && gateway.unapplied === 'refund') return;
  const now = clock.now();
  const quiet = now.getTime() - attempt.updated_at.getTime();
  // The next poll is scheduled first, whatever happens below. A webhook event stays unprocessed until it was applied.
  if (!open && quiet > AFTER_MS) {
    const misses = attempt.status === 'succeeded' && attempt.fee === null;
    const ask_at = misses ? new Date(now.getTime() + AFTER_MS) : null;
    await db.updateTable('attempt').set({ ask_at }).where('id', '=', attempt.id).execute();
  } else if (attempt.ask_at && !webhookRef) await askLater(db, 'attempt', now, attempt);
  if (quiet > UNKNOWN_MS) await raiseUnknown(deps, now, attempt);
  const { status } = attempt;
  // A bank's question that has lapsed may have been answered before: the gateway says so.
  const over = quiet > ABANDONED_MS || (attempt.method !== 'card' && isOver(attempt, now));
  if (payableAttempt.includes(status) && (due === undefined || (over && status !== 'processing'))) {
    return closeAttempt(deps, attempt);
  }
  const reported = attempt.provider_ref
    ? await gateway.ask({ ...asked.ref, providerRef: attempt.provider_ref })
    : await findAttempt(deps, attempt);
  if (reported === 'unknown') return;
  // The shop has closed it, but it can still be paid at the gateway: it is closed again. Money that is faster counts.
  if (status === 'closed' && reported.ref && gateway.close && payableAgain.has(reported.state)) {
    return closeAttempt(deps, { ...attempt, provider_ref: reported.ref });
  }
  await countDeclines(deps, attempt.id, reported);
  await followPayment(deps, attempt, reported);
}

/** Under the lock of the invoice, so that a process that learns the state meanwhile resolves the alert. */
const raiseUnknown = ({ db }: PaymentDeps, now: Date, { id, invoice_id }: Attempt) =>
  db.transaction().execute(async tx => {
    await lockInvoice(tx, invoice_id);
    const { status } = (await attemptById(tx, id))!;
    if (status === 'created' || status === 'processing')
      await raiseAlert(tx, now, { kind: 'attempt.unknown', subject: id, what: { status } });
  });

/**
 * Polls all attempts of an invoice that could still take money.
 * @param only `byLink`: shows no payment that the customer has begun themselves
 * @returns the one that is being paid, and the next action of its page
 */
export async function askInvoice(
  deps: PaymentDeps,
  invoiceId: string,
  only: { byLink?: boolean } = {},
): Promise<OpenPayment | undefined> {
  let paying: OpenPayment | undefined;
  for (const { attempt, ref } of await takingMoney(deps, invoiceId)) {
    if (!attempt.provider_ref) continue;
    const reported = await gatewayOf(deps.gateways, attempt.method).ask(ref);
    if (reported !== 'unknown') await countDeclines(deps, attempt.id, reported);
    const followed = reported === 'unknown' ? attempt : await followPayment(deps, attempt, reported);
    if (only.byLink && !attempt.by_link) continue;
    paying = openPaymentOf(attempt.method, followed.status, reported) ?? paying;
  }
  return paying;
}

/** Closes all attempts of an invoice at their gateways. Money that was faster counts. */
export async function closeInvoice(deps: PaymentDeps, invoiceId: string): Promise<void> {
  for (const { attempt } of await takingMoney(deps, invoiceId)) await closeAttempt(deps, attempt);
}

/** Whether a customer has paid an invoice, or a part of it, and the gateway has not decided on that yet. */
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

const takingMoney = async ({ db }: PaymentDeps, invoiceId: string): Promise<AttemptWithRef[]> =>
  (await attemptsWithRef(db, invoiceId)).filter(({ attempt }) => payableAttempt.includes(attempt.status));
