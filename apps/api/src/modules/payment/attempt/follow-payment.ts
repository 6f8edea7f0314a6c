import { settle } from '@fixpoint/domain/billing/invoice.ts';
import {
  type AttemptStatus,
  declineRefusal,
  followProvider,
  isHardDecline,
  needsAuthentication,
} from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../../kernel/failpoints.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentGateway, Reported } from '../../../ports/payment-gateway.ts';
import { raiseAlert, resolveAlert } from '../../alert/index.ts';
import {
  applyVatOfDay,
  carryRest,
  type LockedInvoice,
  lockWithAttempt,
  payableByCoins,
  payInvoice,
  prepayInvoice,
  recordFee,
  recordPaid,
  recordUnapplied,
  subjectOf,
  unappliedAt,
} from '../../billing/index.ts';
import { releaseCard } from '../card-testing.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { lostCoinsOf, returnCoins } from '../dispute/index.ts';
import { requestRefund } from '../refund/index.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { markForCapture } from './capture.ts';
import { receiptsOf, transitionAttempt, tryTransitionAttempt } from './store.ts';

const MISSED_MS = 60_000;
/** Whether an alert can have been raised meanwhile: an unknown webhook waits for minutes, a missing answer for a day. */
const isMissed = ({ created_at }: Attempt, now: Date): boolean =>
  now.getTime() - created_at.getTime() > MISSED_MS;

/**
 * Records the first answer of a gateway, about a payment that nobody has paid yet, in one statement. It moves no money, so
 * the invoice is not locked. An attempt that has changed since is left to {@link followPayment}.
 */
export async function recordFirstAnswer(
  deps: PaymentDeps,
  attempt: Attempt,
  reported: Reported,
): Promise<Attempt | undefined> {
  const { ref, state, decline, received, seen = 0 } = reported;
  const now = deps.clock.now();
  const plain = ref !== null && decline === undefined && received === 0 && seen === 0;
  const first = attempt.status === 'created' && attempt.provider_ref === null && !isMissed(attempt, now);
  if (!plain || !first || state !== 'open' || !sameMoney(attempt, reported)) return undefined;
  return tryTransitionAttempt(deps.db, now, attempt, 'open', {
    provider_ref: ref,
    expires_at: expiryOf(reported, now),
    more: takesMore(deps, attempt),
  });
}

/**
 * Applies the state that a gateway reports of a payment: the one way in which money becomes known, for return page, webhook
 * and scheduled task alike. Under the lock of the invoice a first success pays it; everything beyond is an unapplied
 * payment, refunded or credited. What is only approved is captured then, if the invoice still asks for it. The same report
 * again changes nothing; one of more money adds that.
 * @param known the attempt as it was before its gateway was asked
 * @returns the state of the attempt after it
 */
export async function followPayment(
  deps: PaymentDeps,
  known: Pick<Attempt, 'id' | 'invoice_id' | 'version'>,
  reported: Reported,
): Promise<Pick<Attempt, 'status' | 'provider_ref'>> {
  const { db, clock, live } = deps;
  failPoint('payment.read');
  const settled = await live.transaction(db, async (tx): Promise<Followed> => {
    const { invoice: locked, attempt } = await lockWithAttempt(tx, known.invoice_id, known.id);
    const now = clock.now();
    const invoice = takesMore(deps, attempt) ? await payableByCoins(tx, now, locked) : locked;
    const another = attempt.provider_ref !== null && attempt.provider_ref !== reported.ref;
    // A call that was sent twice made a second payment. Nobody has its secret, so nobody pays it.
    if (another && reported.received === 0) return attempt;
    // The gateway's payment must be the one that was requested; anything else is not ours (S37).
    if (another || !sameMoney(attempt, reported)) {
      await raiseAlert(tx, now, {
        kind: 'attempt.differs',
        subject: attempt.id,
        what: { providerRef: reported.ref, currency: reported.currency, amount: reported.amount },
      });
      return attempt;
    }
    if (reported.state === 'approved') {
      const closes = gatewayOf(deps.gateways, attempt.method).close !== undefined;
      const { ref, payer } = reported;
      const blocked = payer !== undefined && (await deps.isBlocked(tx, 'paypal', payer));
      return { ...attempt, take: await markForCapture(tx, now, invoice, attempt, { ref, closes, blocked }) };
    }
    const next = followProvider(attempt.status, reported.state);
    const isBack = next === 'succeeded' && reported.received >= attempt.received && takesMore(deps, attempt);
    const isPaid = next === 'succeeded' && attempt.status !== 'succeeded';
    const followed = {
      status: next,
      provider_ref: reported.ref,
      ...(isBack && { isBack: attempt }),
      ...(isPaid && { paidBy: attempt.counted_for }),
    };
    // The state is known now, unless it is still processing.
    if (next !== 'processing' && isMissed(attempt, now))
      await resolveAlert(tx, now, 'attempt.unknown', attempt.id);
    const about = { now, invoice, attempt, reported, older: known.version < attempt.version };
    if (next === 'succeeded') await followMoney(deps, tx, about);
    else await followNoMoney(deps, tx, next, about);
    return followed;
  });
  failPoint('payment.settled');
  if (settled.paidBy) await releaseCard(deps, settled.paidBy);
  if (settled.isBack) await returnCoins(deps, settled.isBack);
  return settled.take ? captureApproved(deps, settled.take) : settled;
}

type Followed = Pick<Attempt, 'status' | 'provider_ref'> & {
  /** Its money is to be captured now. */
  take?: Attempt | undefined;
  /** It has just been paid: the names under which its card is claimed. */
  paidBy?: string[];
  /** All its money is there, also coins that may have been booked as lost. */
  isBack?: Attempt | undefined;
};

/** Captures an approved payment, and applies what the gateway reports of that. */
async function captureApproved(deps: PaymentDeps, attempt: Attempt): Promise<Followed> {
  const { capture } = gatewayOf(deps.gateways, attempt.method);
  if (!capture) throw new Error(`${attempt.method} takes its money by itself`);
  failPoint('payment.taking');
  const reported = await capture(await attemptRef(deps.db, attempt));
  return followPayment(deps, attempt, reported);
}

type About = {
  now: Date;
  invoice: LockedInvoice;
  attempt: Attempt;
  reported: Reported;
  /** The gateway was asked before the attempt changed: the report may be older than the row. */
  older: boolean;
};

/** Applies that money has come, or more of it, or that its fee is known. */
async function followMoney(deps: PaymentDeps, tx: Db, about: About): Promise<void> {
  const { now, attempt, reported, older } = about;
  const { received, fee } = reported;
  if (attempt.status !== 'succeeded' || received > attempt.received) {
    await succeed(deps, tx, about);
  } else if (received < attempt.received + attempt.gone && !older) {
    await followGone(tx, now, attempt, attempt.received - received);
  } else if (attempt.fee === null && fee !== undefined) {
    await transitionAttempt(tx, now, attempt, 'succeeded', { fee });
    await bookFee(deps, tx, now, attempt, fee);
  }
}

/** Records how much of the money that had arrived is gone again: staff books it, once it will not come back. */
async function followGone(tx: Db, now: Date, attempt: Attempt, gone: number): Promise<void> {
  await tx.updateTable('attempt').set({ gone }).where('id', '=', attempt.id).execute();
  const { id: subject, currency } = attempt;
  if (gone > (await lostCoinsOf(tx, subject)))
    await raiseAlert(tx, now, { kind: 'payment.gone', subject, what: { currency, gone } });
  else await resolveAlert(tx, now, 'payment.gone', subject);
}

/** Applies a state in which no money has arrived for good. */
async function followNoMoney(
  deps: PaymentDeps,
  tx: Db,
  next: AttemptStatus,
  { now, invoice, attempt, reported }: About,
): Promise<void> {
  const { decline, seen = 0 } = reported;
  const isAsked = reported.nextAction?.kind === 'authenticate' && attempt.expires_at === null;
  if (next === attempt.status && attempt.provider_ref && seen === attempt.seen && !isAsked) return;
  const refused = next === 'failed' || (next === 'closed' && decline !== undefined);
  const failure = refused ? declineRefusal(decline) : attempt.failure;
  const hard = refused ? isHardDecline(decline) : attempt.hard;
  const asks_owner = refused ? needsAuthentication(decline) : attempt.asks_owner;
  await transitionAttempt(tx, now, attempt, next, {
    failure,
    hard,
    asks_owner,
    provider_ref: reported.ref,
    seen,
    expires_at: expiryOf(reported, now),
    // Without a payment at the gateway no money can come.
    more: reported.ref !== null && takesMore(deps, attempt),
  });
  if (reported.notMade && !reported.notMade.field) {
    const { method, currency } = attempt;
    await raiseAlert(tx, now, { kind: 'attempt.notMade', subject: method, what: { currency } });
  }
  // For one that was refused before and is closed now, the event was published then.
  const isNew = refused && attempt.status !== 'failed';
  if (isNew && failure && invoice.due !== undefined) {
    const { unattended } = attempt;
    await deps.publish(tx, { type: 'paymentRefused', ...subjectOf(invoice), failure, unattended });
  } else if (seen !== attempt.seen || next === 'closed' || next === 'processing') {
    // Coins that were seen are as good as there, and their payer may have closed the page.
    const isShort = seen > attempt.seen && invoice.due !== undefined && seen < invoice.due;
    await deps.publish(tx, { type: isShort ? 'paymentShort' : 'paymentMoved', ...subjectOf(invoice) });
  }
}

/** A bank's question lapses at Stripe an hour after it was asked. */
const ANSWER_MS = 60 * 60_000;

/** When a code to scan, or the question of a bank, expires; null for payments without one. */
function expiryOf({ nextAction }: Reported, now: Date): Date | null {
  if (nextAction?.kind === 'authenticate') return new Date(now.getTime() + ANSWER_MS);
  return nextAction?.kind === 'scan' ? new Date(nextAction.expiresAt) : null;
}

const sameMoney = (attempt: Attempt, reported: Reported): boolean =>
  reported.currency === attempt.currency && reported.amount === attempt.amount;

async function succeed(deps: PaymentDeps, tx: Db, about: About): Promise<void> {
  const { now, attempt, reported } = about;
  const { ref, received, fee, method } = reported;
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const arrived = received - attempt.received;
  const invoice = await withShortCarried(tx, gateway, about, arrived);
  const { pays, unapplied } = settle(invoice.due, arrived);
  await transitionAttempt(tx, now, attempt, 'succeeded', {
    provider_ref: ref,
    charge_ref: reported.chargeRef ?? null,
    failure: null,
    received,
    gone: 0,
    seen: reported.seen ?? received,
    unapplied: attempt.unapplied + unapplied,
    fee: fee ?? null,
    more: takesMore(deps, attempt),
    receipts: await receiptsOf(tx, now, attempt, reported),
    paid_with:
      typeof method === 'object' && 'brand' in method ? { brand: method.brand, last4: method.last4 } : null,
  });
  if (ref && isMissed(attempt, now)) await resolveAlert(tx, now, 'payment.unknown', ref);
  const money = (amount: number) => ({ provider: gateway.provider, currency: attempt.currency, amount });
  // Before the payment is booked: `unappliedAt` below must not find a payment that is refunded here.
  if (unapplied > 0) {
    await recordUnapplied(tx, now, attempt, money(unapplied));
    if (gateway.unapplied === 'refund') {
      await requestRefund(deps, tx, now, attempt, unapplied, { reason: 'unapplied' });
    }
  }
  // The fee is often known only some time after the money; the attempt is polled until it is.
  const isNewFee = fee !== undefined && attempt.fee === null;
  const paid = pays ? await applyVatOfDay(tx, now, invoice) : undefined;
  if (paid) {
    const prepaidAt = invoice.prepaid > 0 ? await unappliedAt(tx, invoice.id) : undefined;
    const newFee = isNewFee ? { attemptId: attempt.id, amount: fee } : undefined;
    await recordPaid(tx, now, paid, money(arrived - unapplied), prepaidAt, newFee);
    // The method of a manual renewal can pay the next one, unless it is somebody else's. An order saves its own method.
    const { customerId } = invoice;
    if (invoice.orderId === null && customerId && !attempt.by_saved && !attempt.by_link) {
      await deps.jobs.enqueue(tx, 'saveMethod', { attemptId: attempt.id, customerId });
    }
  } else if (isNewFee) await bookFee(deps, tx, now, attempt, fee);
  const what = invoice.due !== undefined &&
    !pays && { currency: attempt.currency, received: arrived, due: invoice.due };
  if (what && gateway.unapplied === 'refund') {
    await raiseAlert(tx, now, { kind: 'attempt.short', subject: attempt.id, what });
  }
  // A method that paid for nothing is not saved.
  if (!pays && gateway.forget && !attempt.by_saved) {
    await deps.jobs.enqueue(tx, 'forgetUnsaved', { attemptId: attempt.id });
  }
  const isPart = what && gateway.unapplied === 'credit';
  if (isPart) await prepayInvoice(tx, invoice, unapplied);
  const type = pays ? 'invoicePaid' : isPart && received > attempt.seen ? 'paymentShort' : 'paymentMoved';
  await deps.publish(tx, { type, ...subjectOf(invoice) });
  // Last, because it locks the year's invoice numbers until the transaction ends.
  if (paid) await payInvoice(tx, now, paid);
}

/**
 * The invoice, without what is missing of coins where that is too little to be sent: it is carried to a later invoice instead
 * of being asked for.
 */
async function withShortCarried(
  tx: Db,
  { unapplied, takes }: PaymentGateway,
  { invoice, attempt: { currency } }: About,
  arrived: number,
): Promise<LockedInvoice> {
  const missing = (invoice.due ?? 0) - arrived;
  if (unapplied !== 'credit' || missing <= 0) return invoice;
  return (await carryRest(tx, invoice, missing, amount => takes(currency, amount))) ?? invoice;
}

const takesMore = ({ gateways }: PaymentDeps, { method }: Attempt): boolean =>
  gatewayOf(gateways, method).unapplied === 'credit';

function bookFee(deps: PaymentDeps, tx: Db, now: Date, attempt: Attempt, fee: number): Promise<void> {
  const { provider } = gatewayOf(deps.gateways, attempt.method);
  return recordFee(tx, now, attempt.id, { provider, currency: attempt.currency, amount: fee });
}
