import { settle } from '@fixpoint/domain/billing/invoice.ts';
import { declineRefusal, followProvider } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../failpoints.ts';
import type { Db } from '../../ports/database.ts';
import type { Reported } from '../../ports/payment-gateway.ts';
import { mend, raise } from '../attention/index.ts';
import {
  type LockedInvoice,
  lockInvoice,
  payInvoice,
  recordExcess,
  recordFee,
  recordPaid,
} from '../billing/index.ts';
import type { PaymentDeps } from './deps.ts';
import { requestRefund } from './refunds.ts';
import { type Attempt, attemptById, gatewayOf, moveAttempt } from './store.ts';

/**
 * Takes over what the provider says of a payment: the one way in which money becomes known, called by the return page,
 * the webhook and the sweeper alike. Under the lock of the invoice: a first success pays it, everything beyond is money
 * to give back. Saying the same again changes nothing.
 * @returns how the attempt stands after it
 */
export async function followPayment(
  deps: PaymentDeps,
  known: { id: string; invoice_id: string },
  reported: Reported,
): Promise<Pick<Attempt, 'status' | 'provider_ref'>> {
  const { db, clock } = deps;
  failPoint('payment.read');
  const settled = await db.transaction().execute(async tx => {
    const invoice = await lockInvoice(tx, known.invoice_id);
    const attempt = (await attemptById(tx, known.id))!;
    const now = clock.now();
    // What the provider holds must be what we asked for; anything else is not our payment (S37).
    if (!sameMoney(attempt, reported)) {
      await raise(tx, now, {
        kind: 'attempt.differs',
        subject: attempt.id,
        what: { providerRef: reported.ref, currency: reported.currency, amount: reported.amount },
      });
      return attempt;
    }
    const next = followProvider(attempt.status, reported.state);
    const followed = { status: next, provider_ref: reported.ref };
    // It has said how it stands; what is still being processed has not.
    if (next !== 'processing') await mend(tx, 'attempt.unknown', attempt.id);
    if (next === 'succeeded') {
      if (attempt.status !== 'succeeded') await succeed(deps, tx, now, invoice, attempt, reported);
      else if (attempt.fee === null && reported.fee !== undefined) {
        await moveAttempt(tx, now, attempt, next, { fee: reported.fee });
        await bookFee(deps, tx, now, attempt, reported.fee);
      }
      return followed;
    }
    if (next === attempt.status && attempt.provider_ref) return followed;
    const failure = next === 'failed' ? declineRefusal(reported.decline) : attempt.failure;
    await moveAttempt(tx, now, attempt, next, { failure, provider_ref: reported.ref });
    if (next === 'failed' && failure && invoice.due !== undefined) {
      await deps.announce(tx, { news: 'refused', ...subjects(invoice), failure });
    }
    return followed;
  });
  failPoint('payment.settled');
  return settled;
}

const sameMoney = (attempt: Attempt, reported: Reported): boolean =>
  reported.currency === attempt.currency &&
  reported.amount === attempt.amount &&
  (attempt.provider_ref === null || attempt.provider_ref === reported.ref);

const subjects = (invoice: LockedInvoice) => ({
  invoiceId: invoice.id,
  orderId: invoice.orderId,
  subscriptionId: invoice.subscriptionId,
});

async function succeed(
  deps: PaymentDeps,
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  { ref, received, fee, method }: Reported,
): Promise<void> {
  const { provider } = gatewayOf(deps.gateways, attempt.method);
  const { pays, excess } = settle(invoice.due, received);
  await moveAttempt(tx, now, attempt, 'succeeded', {
    provider_ref: ref,
    received,
    excess,
    fee: fee ?? null,
    failure: null,
    paid_with: method ? { brand: method.brand, last4: method.last4 } : null,
  });
  await mend(tx, 'payment.unknown', ref);
  const money = (amount: number) => ({ provider, currency: attempt.currency, amount });
  if (pays) {
    await payInvoice(tx, now, invoice);
    await recordPaid(tx, now, invoice, money(received - excess));
  }
  if (excess > 0) {
    await recordExcess(tx, now, attempt.id, money(excess));
    await requestRefund(deps, tx, now, attempt, excess, { reason: 'excess' });
  }
  // Often known only a while after the money: asked for until it is.
  if (fee !== undefined) await bookFee(deps, tx, now, attempt, fee);
  if (!pays && invoice.due !== undefined) {
    await raise(tx, now, {
      kind: 'attempt.short',
      subject: attempt.id,
      what: { received, due: invoice.due },
    });
  }
  if (pays) await deps.announce(tx, { news: 'paid', ...subjects(invoice) });
}

function bookFee(deps: PaymentDeps, tx: Db, now: Date, attempt: Attempt, fee: number): Promise<void> {
  const { provider } = gatewayOf(deps.gateways, attempt.method);
  return recordFee(tx, now, attempt.id, { provider, currency: attempt.currency, amount: fee });
}
