import { nextRefundStatus } from '@fixpoint/domain/payment/refund.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { EmailTemplate } from '../../../ports/jobs.ts';
import type { Facts } from '../../../ports/json-columns.ts';
import type { RefundAsks, ReportedRefund } from '../../../ports/payment-gateway.ts';
import { raiseAlert, resolveAlert } from '../../alert/index.ts';
import { lockInvoice, recordRefund, recordRefundReturned } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { isDisputed } from '../dispute/index.ts';
import { type Attempt, askLater, attemptById } from '../store.ts';
import { type Refund, refundById, refundRef, transitionRefund } from './store.ts';

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
      if (!(error instanceof NamedFault)) await markUnsent(db, refund, tries);
      else if (error.answered && stale) await claimTry(db, refund, tries + 1);
      throw error;
    });
  await recordReported(deps, refund, attempt, reported);
}

/** Marks a refund as never sent: the gateway refused it because of a dispute whose webhook is late. If lost, it ends the refund. */
async function markUnsent(db: Db, { id }: Refund, tries: number): Promise<void> {
  await db
    .updateTable('refund')
    .set({ tries: 0 })
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
  reported: ReportedRefund,
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
    await resolveAlert(tx, 'refund.unknown', reported.ref);
    const money = { provider, currency: refund.currency, amount: refund.amount };
    if (next === 'succeeded') await recordRefund(tx, now, refund.id, money);
    if (next === 'failed') {
      if (refund.status === 'succeeded') await recordRefundReturned(tx, now, refund.id, money);
      await raiseAlert(tx, now, {
        kind: 'refund.failed',
        subject: refund.id,
        what: await factsOf(tx, refund),
      });
    }
    if (next === 'succeeded' || next === 'failed') await resolveAlert(tx, 'refund.unfinished', refund.id);
    const template = await emailOf(tx, refund, next, reported);
    const to = refund.customer_id
      ? { customerId: refund.customer_id }
      : invoice.orderId && { orderId: invoice.orderId };
    if (template && to) await jobs.enqueue(tx, 'sendEmail', { template, subjectId: refund.id, ...to });
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
  { asks }: ReportedRefund,
): Promise<EmailTemplate | undefined> {
  const taken = refund.status !== 'created';
  if (next === 'failed') {
    const announced = taken || (await announcedByNote(db, refund));
    return announced && refund.status !== 'failed' ? 'refundFailed' : undefined;
  }
  if (taken) return undefined;
  if (asks) return 'refundAsks';
  return (await announcedByNote(db, refund)) ? undefined : 'refunded';
}

/** Whether the credit note's email announces this refund. It does not for a retry, or after a won dispute. */
async function announcedByNote(db: Db, { id, credit_note_id }: Refund): Promise<boolean> {
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
