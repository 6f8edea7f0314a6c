import { sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentGateway, Provider, ReportedDispute } from '../../../ports/payment-gateway.ts';
import { raiseAlert, renameSubject, resolveAlert } from '../../alert/index.ts';
import { lockInvoice, recordDispute } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { type Attempt, attemptById } from '../store.ts';
import { fundedSubscriptions, fundingInvoices } from './funded-subscriptions.ts';
import {
  creditLostDispute,
  type Dispute,
  endWaitingRefunds,
  lossOf,
  notesOf,
  takenBy,
} from './lost-dispute.ts';

/** Disputes take months: they are polled daily, beside their webhooks. */
const ASK_MS = 24 * 60 * 60_000;

const KINDS = ['dispute', 'dispute.lost', 'dispute.regained'] as const;

/**
 * Asks the gateway for the state of a dispute and books the money that it has moved (M17). A setting of the operator decides
 * whether the service goes on meanwhile; an alert is raised in any case.
 * @returns false when the gateway does not know it, or the shop does not know its payment
 */
export async function followDispute(deps: PaymentDeps, provider: Provider, ref: string): Promise<boolean> {
  const { db, gateways } = deps;
  const gateway = Object.values(gateways).find(each => each.provider === provider && each.askDispute);
  const askDispute = gateway?.askDispute;
  if (!askDispute) return false;
  const reported = await askDispute(ref);
  if (reported === 'unknown') return false;
  const attempt = await disputedAttempt(db, provider, reported.paymentRef);
  if (!attempt) return false;
  await renameAgain(db, askDispute, attempt, reported.ref);
  await applyReported(deps, provider, attempt, reported);
  // The alert may be about the reversal, which was reported first.
  await resolveAlert(db, deps.clock.now(), 'dispute.unknown', ref);
  return true;
}

/**
 * Renames a dispute that was booked under the ID of its reversal, because the gateway reported that first. Asked for that ID
 * again, the gateway names the dispute: the same money, which must be booked once.
 */
async function renameAgain(
  db: Db,
  askDispute: NonNullable<PaymentGateway['askDispute']>,
  { id: attemptId }: Attempt,
  ref: string,
): Promise<void> {
  const of = await db
    .selectFrom('dispute')
    .select(['id', 'provider_ref'])
    .where('attempt_id', '=', attemptId)
    .execute();
  if (of.some(({ provider_ref }) => provider_ref === ref)) return;
  for (const { id, provider_ref: before } of of) {
    const now = await askDispute(before);
    if (now === 'unknown' || now.ref !== ref) continue;
    return db.transaction().execute(async tx => {
      await tx.updateTable('dispute').set({ provider_ref: ref }).where('id', '=', id).execute();
      await renameSubject(tx, KINDS, { before, now: ref });
    });
  }
}

const disputedAttempt = (db: Db, provider: Provider, paymentRef: string): Promise<Attempt | undefined> =>
  db
    .selectFrom('attempt')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .selectAll('attempt')
    .where('gateway_customer.provider', '=', provider)
    .where(({ or, eb }) =>
      or([eb('attempt.provider_ref', '=', paymentRef), eb('attempt.charge_ref', '=', paymentRef)]),
    )
    .executeTakeFirst();

/** Applies what the gateway reports, under the lock of the invoice: each change is booked once. */
export const applyReported = (
  { db, clock, jobs, publish }: Pick<PaymentDeps, 'db' | 'clock' | 'jobs' | 'publish'>,
  provider: Provider,
  { id: attemptId, invoice_id }: Attempt,
  reported: ReportedDispute,
): Promise<void> =>
  db.transaction().execute(async tx => {
    await lockFundedSubscriptions(tx, invoice_id);
    const invoice = await lockInvoice(tx, invoice_id);
    const attempt = (await attemptById(tx, attemptId))!;
    const now = clock.now();
    const before = await tx
      .selectFrom('dispute')
      .selectAll()
      .where('attempt_id', '=', attempt.id)
      .where('provider_ref', '=', reported.ref)
      .executeTakeFirst();
    const { state, withdrawn, fee } = reported;
    const moved = before?.status !== state;
    const same = !moved && before.withdrawn === withdrawn && before.fee === fee;
    const lostBefore = await lossOf(tx, before);
    const { customerId } = invoice;
    const dispute = {
      ...(await saveDispute(tx, now, attempt, reported, before, same)),
      provider,
      customerId,
    };
    // Includes a subscription that has replaced another one in the meantime.
    const served = await fundedSubscriptions(tx, invoice_id);
    // An open dispute suspends also when nothing is new: it may be older than the subscription. A lost one suspends only when
    // it is lost: later reports, such as its fee, are about money.
    const suspends = state === 'open' || (state === 'lost' && moved);
    for (const id of served) {
      const disputed = await isSuspendedByDispute(tx, id);
      if (disputed ? !suspends : !moved) continue;
      await publish(tx, { type: disputed ? 'paymentDisputed' : 'disputeResolved', subscriptionId: id });
    }
    if (same) return;
    await endWaitingRefunds({ jobs }, tx, now, dispute);
    await creditLostDispute({ jobs }, tx, now, invoice, attempt, dispute);
    const lost = await lossOf(tx, dispute);
    await recordDispute(tx, now, dispute, {
      withheld: withdrawn - (before?.withdrawn ?? 0),
      fee: fee - (before?.fee ?? 0),
      credited: lost.credited - lostBefore.credited,
      fromCredit: lost.fromCredit - lostBefore.fromCredit,
      writtenOff: lost.writtenOff - lostBefore.writtenOff,
    });
    await raiseAlerts(tx, now, dispute, served.join(' '));
  });

/**
 * Locks the subscriptions that a dispute of this invoice can suspend. Lock order: subscriptions before the invoice; else a
 * webhook and a customer who withdraws deadlock.
 */
const lockFundedSubscriptions = async (tx: Db, invoiceId: string) =>
  tx
    .selectFrom('subscription')
    .select('id')
    .where('id', '=', sql<string>`any(${await fundedSubscriptions(tx, invoiceId)})`)
    .orderBy('id')
    .forUpdate()
    .execute();

async function saveDispute(
  tx: Db,
  now: Date,
  attempt: Attempt,
  reported: ReportedDispute,
  before: Dispute | undefined,
  same: boolean,
): Promise<Dispute> {
  const { ref, state, currency, amount, withdrawn, fee, reason, respondBy, blocksRefunds = false } = reported;
  const money = { currency, amount, withdrawn, fee };
  const stands = { status: state, ...money, reason, respond_by: respondBy, blocks_refunds: blocksRefunds };
  // Won after it was lost: the credit that it took is returned.
  const credit_taken = state === 'lost' ? (before?.credit_taken ?? 0) : 0;
  // A decided dispute can be reopened for a while; its webhook reports that.
  const ask_at = state === 'won' || state === 'lost' ? null : new Date(now.getTime() + ASK_MS);
  if (before) {
    return tx
      .updateTable('dispute')
      .set({
        ...stands,
        credit_taken,
        ask_at,
        ...(!same && { version: before.version + 1, updated_at: now }),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const names = { id: newId('dsp'), attempt_id: attempt.id, provider_ref: ref };
  return tx
    .insertInto('dispute')
    .values({ ...names, ...stands, ask_at, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Raises and resolves the alerts: staff must answer an open dispute, and clear up after one that was decided. */
async function raiseAlerts(tx: Db, now: Date, dispute: Dispute, subscription: string): Promise<void> {
  const { provider_ref: subject, status, reason, currency, amount, respond_by } = dispute;
  const what = {
    status,
    reason,
    currency,
    amount,
    ...(subscription && { subscription }),
    ...(respond_by && { answerBy: respond_by.toISOString() }),
  };
  const waits = status === 'open' || status === 'inquiry';
  await (waits
    ? raiseAlert(tx, now, { kind: 'dispute', subject, what })
    : resolveAlert(tx, now, 'dispute', subject));
  const lost = status === 'lost';
  await (lost
    ? raiseAlert(tx, now, { kind: 'dispute.lost', subject, what })
    : resolveAlert(tx, now, 'dispute.lost', subject));
  if (status === 'won' && (await takenBy(tx, dispute.id)) > 0) {
    const creditNotes = (await notesOf(tx, dispute.id)).join(', ');
    await raiseAlert(tx, now, {
      kind: 'dispute.regained',
      subject,
      what: { ...what, ...(creditNotes && { creditNotes }) },
    });
  }
}

/**
 * Whether an open or lost dispute suspends a subscription. Not when the subscription has ended since: reactivating it costs a
 * new payment. Nor by a lost one, once staff has restored the subscription.
 */
const isSuspendedByDispute = async (db: Db, subscriptionId: string): Promise<boolean> =>
  (await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .select('dispute.id')
    .where('attempt.invoice_id', '=', sql<string>`any(${await fundingInvoices(db, subscriptionId)})`)
    .where('dispute.status', 'in', ['open', 'lost'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('subscription_history as move')
            .select('move.version')
            .where('move.subscription_id', '=', subscriptionId)
            .whereRef('move.at', '>=', 'dispute.created_at')
            .where(
              sql<boolean>`(move.to_status = 'expired' and move.from_status <> 'expired'
                or dispute.status = 'lost' and move.command = 'restore' and move.detail ? 'byStaff')`,
            ),
        ),
      ),
    )
    // Staff lifted the dispute while another cause held, so nothing was restored.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('suspension')
            .select('suspension.id')
            .where('suspension.subscription_id', '=', subscriptionId)
            .where('suspension.cause', '=', 'dispute')
            .where('suspension.lifted_by_staff', '=', true)
            .where('dispute.status', '=', 'lost')
            .whereRef('suspension.lifted_at', '>=', 'dispute.created_at'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;
