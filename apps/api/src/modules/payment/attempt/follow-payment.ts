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
import type { Reported } from '../../../ports/payment-gateway.ts';
import { raiseAlert, resolveAlert } from '../../alert/index.ts';
import {
  type LockedInvoice,
  lockWithAttempt,
  payInvoice,
  prepayInvoice,
  recordFee,
  recordPaid,
  recordUnapplied,
  subjectOf,
  unappliedAt,
} from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { requestRefund } from '../refund/index.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { markForCapture } from './capture.ts';
import { moveAttempt, receiptsOf, tryMoveAttempt } from './store.ts';

const MISSED_MS = 60_000;
/** Whether an alert can have been raised meanwhile: an unknown webhook waits for minutes, a missing answer for a day. */
const isMissed = ({ created_at }: Attempt, now: Date): boolean =>
  now.getTime() - created_at.getTime() > MISSED_MS;

/**
 * Records the first answer of a gateway, whose payment nobody has paid yet, in one statement. It moves no money, so the
 * invoice is not locked. An attempt that has changed since is left to {@link followPayment}.
 */
export async function recordFirstAnswer(
  deps: PaymentDeps,
  attempt: Attempt,
  reported: Reported,
): Promise<Attempt | undefined> {
  const { ref, state, payable, decline, received, seen = 0 } = reported;
  const now = deps.clock.now();
  const plain = ref !== null && decline === undefined && received === 0 && seen === 0;
  const first = attempt.status === 'created' && attempt.provider_ref === null && !isMissed(attempt, now);
  if (!plain || !first || state !== 'open' || !sameMoney(attempt, reported)) return undefined;
  const expiresAt = payable?.kind === 'scan' ? new Date(payable.expiresAt) : null;
  return tryMoveAttempt(deps.db, now, attempt, 'open', {
    provider_ref: ref,
    expires_at: expiresAt,
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
  const { db, clock } = deps;
  failPoint('payment.read');
  const settled = await db.transaction().execute(async (tx): Promise<Followed> => {
    const { invoice, attempt } = await lockWithAttempt(tx, known.invoice_id, known.id);
    const now = clock.now();
    const another = attempt.provider_ref !== null && attempt.provider_ref !== reported.ref;
    // A call that went out twice made it: nobody was given it, so nobody pays it.
    if (another && reported.received === 0) return attempt;
    // What the provider holds must be what we asked for; anything else is not our payment (S37).
    if (another || !sameMoney(attempt, reported)) {
      await raiseAlert(tx, now, {
        kind: 'attempt.differs',
        subject: attempt.id,
        what: { providerRef: reported.ref, currency: reported.currency, amount: reported.amount },
      });
      return attempt;
    }
    if (reported.state === 'approved') {
      return { ...attempt, take: await markForCapture(tx, now, invoice, attempt, reported.ref) };
    }
    const next = followProvider(attempt.status, reported.state);
    const followed = { status: next, provider_ref: reported.ref };
    // It has said how it stands; what is still being processed has not.
    if (next !== 'processing' && isMissed(attempt, now))
      await resolveAlert(tx, 'attempt.unknown', attempt.id);
    const about = { now, invoice, attempt, reported, older: known.version < attempt.version };
    if (next === 'succeeded') await followMoney(deps, tx, about);
    else await followNoMoney(deps, tx, next, about);
    return followed;
  });
  failPoint('payment.settled');
  return settled.take ? captureApproved(deps, settled.take) : settled;
}

type Followed = Pick<Attempt, 'status' | 'provider_ref'> & {
  /** Its money is to be captured now. */
  take?: Attempt | undefined;
};

/** Captures what its payer approved, and applies what the gateway reports of that. */
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

/** Applies that money has come, more of it than was known, or that its fee is known. */
async function followMoney(deps: PaymentDeps, tx: Db, about: About): Promise<void> {
  const { now, attempt, reported, older } = about;
  const { received, fee } = reported;
  if (attempt.status !== 'succeeded' || received > attempt.received) {
    await succeed(deps, tx, about);
  } else if (received < attempt.received) {
    const { id: subject, currency } = attempt;
    if (!older) await raiseAlert(tx, now, { kind: 'payment.gone', subject, what: { currency, received } });
  } else if (attempt.fee === null && fee !== undefined) {
    await moveAttempt(tx, now, attempt, 'succeeded', { fee });
    await bookFee(deps, tx, now, attempt, fee);
  }
}

/** Applies another state in which no money is there for good. */
async function followNoMoney(
  deps: PaymentDeps,
  tx: Db,
  next: AttemptStatus,
  { now, invoice, attempt, reported }: About,
): Promise<void> {
  const { payable, decline, seen = 0 } = reported;
  if (next === attempt.status && attempt.provider_ref && seen === attempt.seen) return;
  const refused = next === 'failed' || (next === 'closed' && decline !== undefined);
  const failure = refused ? declineRefusal(decline) : attempt.failure;
  const hard = refused ? isHardDecline(decline) : attempt.hard;
  const asks_owner = refused ? needsAuthentication(decline) : attempt.asks_owner;
  const expires_at = payable?.kind === 'scan' ? new Date(payable.expiresAt) : null;
  await moveAttempt(tx, now, attempt, next, {
    failure,
    hard,
    asks_owner,
    provider_ref: reported.ref,
    seen,
    expires_at,
    // Where nothing was made there is nothing that money could come to.
    more: reported.ref !== null && takesMore(deps, attempt),
  });
  if (reported.notMade && !reported.notMade.field) {
    const { method, currency } = attempt;
    await raiseAlert(tx, now, { kind: 'attempt.notMade', subject: method, what: { currency } });
  }
  // What was refused and is closed afterwards was published before.
  const isNew = refused && attempt.status !== 'failed';
  if (isNew && failure && invoice.due !== undefined) {
    const { unattended } = attempt;
    await deps.publish(tx, { type: 'paymentRefused', ...subjectOf(invoice), failure, unattended });
  } else if (seen !== attempt.seen || next === 'closed' || next === 'processing') {
    await deps.publish(tx, { type: 'paymentMoved', ...subjectOf(invoice) });
  }
}

const sameMoney = (attempt: Attempt, reported: Reported): boolean =>
  reported.currency === attempt.currency && reported.amount === attempt.amount;

async function succeed(deps: PaymentDeps, tx: Db, { now, invoice, attempt, reported }: About): Promise<void> {
  const { ref, received, fee, method } = reported;
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const arrived = received - attempt.received;
  const { pays, unapplied } = settle(invoice.due, arrived);
  await moveAttempt(tx, now, attempt, 'succeeded', {
    provider_ref: ref,
    charge_ref: reported.chargeRef ?? null,
    failure: null,
    received,
    seen: reported.seen ?? received,
    unapplied: attempt.unapplied + unapplied,
    fee: fee ?? null,
    more: takesMore(deps, attempt),
    receipts: await receiptsOf(tx, now, attempt, reported),
    paid_with:
      typeof method === 'object' && 'brand' in method ? { brand: method.brand, last4: method.last4 } : null,
  });
  if (ref && isMissed(attempt, now)) await resolveAlert(tx, 'payment.unknown', ref);
  const money = (amount: number) => ({ provider: gateway.provider, currency: attempt.currency, amount });
  // Before the payment is booked: what goes back has not paid for the invoice before.
  if (unapplied > 0) {
    await recordUnapplied(tx, now, attempt, money(unapplied));
    if (gateway.unapplied === 'refund') {
      await requestRefund(deps, tx, now, attempt, unapplied, { reason: 'unapplied' });
    }
  }
  // Often known only a while after the money: asked for until it is.
  const isNewFee = fee !== undefined && attempt.fee === null;
  if (pays) {
    const prepaidAt = invoice.prepaid > 0 ? await unappliedAt(tx, invoice.id) : undefined;
    const kept = isNewFee ? { attemptId: attempt.id, amount: fee } : undefined;
    await recordPaid(tx, now, invoice, money(arrived - unapplied), prepaidAt, kept);
    // What a customer has paid a renewal with themselves can pay the next one; an order sees to its own.
    const { customerId } = invoice;
    if (invoice.orderId === null && customerId && !attempt.by_saved) {
      await deps.jobs.enqueue(tx, 'saveMethod', { attemptId: attempt.id, customerId });
    }
  } else if (isNewFee) await bookFee(deps, tx, now, attempt, fee);
  const what = invoice.due !== undefined &&
    !pays && { currency: attempt.currency, received: arrived, due: invoice.due };
  if (what && gateway.unapplied === 'refund') {
    await raiseAlert(tx, now, { kind: 'attempt.short', subject: attempt.id, what });
  }
  // Nobody keeps what paid for nothing.
  if (!pays && gateway.forget && !attempt.by_saved) {
    await deps.jobs.enqueue(tx, 'forgetUnsaved', { attemptId: attempt.id });
  }
  if (what && gateway.unapplied === 'credit') await prepayInvoice(tx, invoice, unapplied);
  await deps.publish(tx, { type: pays ? 'invoicePaid' : 'paymentMoved', ...subjectOf(invoice) });
  // Last: from here to the end of the transaction nobody else can take the next number of the year.
  if (pays) await payInvoice(tx, now, invoice);
}

const takesMore = ({ gateways }: PaymentDeps, { method }: Attempt): boolean =>
  gatewayOf(gateways, method).unapplied === 'credit';

function bookFee(deps: PaymentDeps, tx: Db, now: Date, attempt: Attempt, fee: number): Promise<void> {
  const { provider } = gatewayOf(deps.gateways, attempt.method);
  return recordFee(tx, now, attempt.id, { provider, currency: attempt.currency, amount: fee });
}
