import { nextRefundStatus, refusedRefundEnd } from '@fixpoint/domain/payment/refund.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { EmailTemplate } from '../../../ports/jobs.ts';
import type { Facts } from '../../../ports/json-columns.ts';
import type { RefundAsks, ReportedRefund } from '../../../ports/payment-gateway.ts';
import { raiseAlert, resolveAlert } from '../../alert/index.ts';
import { lockInvoice, recordRefund, recordRefundReturned } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { isBlockedByDispute, isDisputed, wasDisputed } from '../dispute/index.ts';
import { type Attempt, askLater, attemptById } from '../store.ts';
import { type FailedRefundAlert, type Refund, refundById, refundRef, transitionRefund } from './store.ts';

const HOUR_MS = 60 * 60_000;

const DAY_MS = 24 * HOUR_MS;

/** A bank can return a refund for this long, and some only say so when asked. */
const RETURNS_MS = 30 * DAY_MS;

/**
 * Sends a refund and follows it until it is final, and then for as long as it can be returned. A refund that was sent once is
 * looked up before it is sent again. A gateway repeats a fault for its idempotency key, so after an hour without a refund
 * there the next try gets another key.
 */
export async function followRefund(deps: PaymentDeps, refundId: string): Promise<void> {
  const { db, clock, gateways } = deps;
  const refund = await refundById(db, refundId);
  if (!refund || refund.status === 'failed') return;
  const attempt = (await attemptById(db, refund.attempt_id))!;
  const gateway = gatewayOf(gateways, attempt.method);
  const now = clock.now();
  if (refund.status === 'succeeded' && now.getTime() - refund.updated_at.getTime() > RETURNS_MS) {
    await db.updateTable('refund').set({ ask_at: null }).where('id', '=', refund.id).execute();
    return;
  }
  await askLater(db, 'refund', now, refund);
  if (now.getTime() - refund.created_at.getTime() > DAY_MS) await raiseUnfinished(deps, refund, attempt);
  const sent = refund.tries > 0;
  const found = sent ? await gateway.askRefund(refundRef(refund, attempt)) : 'unknown';
  if (found !== 'unknown') return recordReported(deps, refund, attempt, found);
  if (refund.provider_ref) return;
  if (await isDisputed(db, attempt.id)) return;
  const tries = sent ? refund.tries : 1;
  // A lost dispute has ended it in the meantime, or another process sends it.
  if (!sent && !(await claimTry(db, refund, tries))) return;
  const reported = await gateway
    .refund(refundRef({ ...refund, tries }, attempt))
    .catch(async (error: unknown) => {
      const stale = now.getTime() - refund.updated_at.getTime() > HOUR_MS;
      if (!(error instanceof NamedFault)) await markUnsent(db, refund, tries, null);
      else if (error.answered && stale) await claimTry(db, refund, tries + 1);
      throw error;
    });
  if (!('refused' in reported)) return recordReported(deps, refund, attempt, reported);
  const { failure } = reported;
  const isOld = now.getTime() - refund.created_at.getTime() > DAY_MS;
  const isDecided = await (isOld ? wasDisputed : isBlockedByDispute)(db, attempt.id);
  const end = refusedRefundEnd(reported.refused, isDecided);
  if (end === 'waits') return markUnsent(db, refund, tries, failure);
  const kind = end === 'gone' ? 'refund.gone' : 'refund.refused';
  await recordReported(deps, refund, attempt, { ref: null, state: 'failed', failure }, kind);
}

/**
 * Marks a refund as never sent, because the gateway refused it for now. If its dispute is lost, that ends the refund. The new
 * version makes a new key: a gateway repeats a refusal for the old one.
 */
async function markUnsent(db: Db, { id }: Refund, tries: number, failure: string | null): Promise<void> {
  await db
    .updateTable('refund')
    .set(eb => ({ tries: 0, failure, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('status', '=', 'created')
    .execute();
}

/** Facts that the recipient must give the gateway before it can refund; undefined: none. */
export async function refundAsks(
  { db, gateways }: PaymentDeps,
  refundId: string,
): Promise<RefundAsks | undefined> {
  const refund = await refundById(db, refundId);
  if (!refund) return undefined;
  const attempt = (await attemptById(db, refund.attempt_id))!;
  const found = await gatewayOf(gateways, attempt.method).askRefund(refundRef(refund, attempt));
  return found === 'unknown' ? undefined : found.asks;
}

/** Under the lock, so that the alert is never raised for a refund that has become final in the meantime. */
async function raiseUnfinished({ db, clock }: PaymentDeps, { id }: Refund, attempt: Attempt): Promise<void> {
  await db.transaction().execute(async tx => {
    await lockInvoice(tx, attempt.invoice_id);
    const { status } = (await refundById(tx, id))!;
    if (status !== 'created' && status !== 'pending') return;
    await raiseAlert(tx, clock.now(), { kind: 'refund.unfinished', subject: id, what: { status } });
  });
}

/** Claims a try before it is sent. @returns false where the refund has ended or another process has claimed it */
async function claimTry(db: Db, refund: Refund, tries: number): Promise<boolean> {
  const claimed = await db
    .updateTable('refund')
    .set({ tries })
    .where('id', '=', refund.id)
    .where('tries', '<', tries)
    .where('status', '<>', 'failed')
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Records what the gateway reports of a refund, under the lock of its invoice. */
async function recordReported(
  deps: PaymentDeps,
  known: Refund,
  attempt: Attempt,
  reported: Omit<ReportedRefund, 'ref'> & { ref: string | null },
  failedAs: FailedRefundAlert = 'refund.failed',
): Promise<void> {
  const { db, clock, jobs, gateways } = deps;
  const { provider } = gatewayOf(gateways, attempt.method);
  await db.transaction().execute(async tx => {
    const invoice = await lockInvoice(tx, attempt.invoice_id);
    const refund = (await refundById(tx, known.id))!;
    const next = nextRefundStatus(refund.status, reported.state);
    if (next === refund.status && refund.provider_ref) return;
    const now = clock.now();
    await transitionRefund(tx, now, refund, next, {
      provider_ref: reported.ref,
      failure: reported.failure ?? null,
    });
    if (reported.ref) await resolveAlert(tx, now, 'refund.unknown', reported.ref);
    const money = { provider, currency: refund.currency, amount: refund.amount };
    if (next === 'succeeded') await recordRefund(tx, now, refund.id, money);
    if (next === 'failed') {
      if (refund.status === 'succeeded') await recordRefundReturned(tx, now, refund.id, money);
      await raiseAlert(tx, now, {
        kind: failedAs,
        subject: refund.id,
        what: { ...(await factsOf(tx, refund)), ...(reported.failure && { reason: reported.failure }) },
      });
    }
    if (next === 'succeeded' || next === 'failed')
      await resolveAlert(tx, now, 'refund.unfinished', refund.id);
    const to = refund.customer_id
      ? { customerId: refund.customer_id }
      : invoice.orderId && { orderId: invoice.orderId };
    if (!to) return;
    const noteId = refund.status === 'created' ? await readyNoteOf(tx, refund) : undefined;
    if (noteId) await jobs.enqueue(tx, 'sendEmail', { template: 'creditNote', subjectId: noteId, ...to });
    // What is gone has reached its payer another way, so nothing failed for them.
    const template = failedAs !== 'refund.gone' && (await emailOf(tx, refund, next, reported));
    if (template) await jobs.enqueue(tx, 'sendEmail', { template, subjectId: refund.id, ...to });
  });
}

/** Facts of the alert about a failed refund: the amount, and the credit note by which it can be retried. */
async function factsOf(tx: Db, { currency, amount, credit_note_id }: Refund): Promise<Facts> {
  if (!credit_note_id) return { currency, amount };
  const { number } = await tx
    .selectFrom('credit_note')
    .select('number')
    .where('id', '=', credit_note_id)
    .executeTakeFirstOrThrow();
  return { currency, amount, creditNote: number };
}

/**
 * The email about a step of a refund, each at most once: that it is on its way, as soon as the gateway has accepted it, because
 * the bank needs days; what its recipient must do; that it failed.
 */
async function emailOf(
  db: Db,
  refund: Refund,
  next: Refund['status'],
  { asks }: Pick<ReportedRefund, 'asks'>,
): Promise<EmailTemplate | undefined> {
  const taken = refund.status !== 'created';
  if (next === 'failed') {
    const isKnown = taken || (await isFirstOfNote(db, refund)) || (await isEndedCredit(db, refund));
    return isKnown && refund.status !== 'failed' ? 'refundFailed' : undefined;
  }
  if (taken) return undefined;
  if (asks) return 'refundAsks';
  return (await isFirstOfNote(db, refund)) ? undefined : 'refunded';
}

/** Whether it returns the credit of an account that has ended: the email about that end has announced it. */
const isEndedCredit = async (db: Db, { attempt_id, reason }: Refund): Promise<boolean> =>
  reason === 'unapplied' &&
  (await db
    .selectFrom('ledger_entry')
    .select('txn')
    .where('txn', 'in', [`credit-ended:${attempt_id}`, `notes-ended:${attempt_id}`])
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The credit note whose email has waited for this refund. */
async function readyNoteOf(db: Db, refund: Refund): Promise<string | undefined> {
  if (!(await isFirstOfNote(db, refund))) return undefined;
  const ready = await db
    .selectFrom('credit_note')
    .select('id')
    .where('id', '=', refund.credit_note_id)
    .where('ready_at', 'is not', null)
    .executeTakeFirst();
  return ready?.id;
}

/** Whether its credit note's email is about this refund. It is not for a retry, or after a won dispute. */
async function isFirstOfNote(db: Db, { id, credit_note_id }: Refund): Promise<boolean> {
  if (!credit_note_id) return false;
  const { dispute_id } = await db
    .selectFrom('credit_note')
    .select('dispute_id')
    .where('id', '=', credit_note_id)
    .executeTakeFirstOrThrow();
  const earlier = await db
    .selectFrom('refund')
    .select('id')
    .where('credit_note_id', '=', credit_note_id)
    .where('id', '<>', id)
    .where('status', '=', 'failed')
    .executeTakeFirst();
  return !dispute_id && !earlier;
}
