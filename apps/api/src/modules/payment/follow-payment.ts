import { type AttemptStatus, declineRefusal, followProvider } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../failpoints.ts';
import type { ProviderPayment } from '../../ports/card-payments.ts';
import type { PaymentDeps } from './payment.ts';
import { attemptById, updateAttempt } from './store.ts';

/**
 * Takes over what the provider says of a payment: the one way in which money becomes known, called by the return page,
 * the webhook and the sweeper alike (H2). Under the lock of the invoice: a first success pays it, a
 * second one, or one of an account that has ended, is money to give back. Saying the same again changes nothing.
 * @returns the status of the attempt after it
 */
export async function followPayment(
  { db, clock, jobs, invoices, onOutcome }: PaymentDeps,
  payment: ProviderPayment,
): Promise<AttemptStatus | undefined> {
  if (!payment.attemptId) return undefined;
  const known = await attemptById(db, payment.attemptId);
  if (!known) return undefined;

  failPoint('payment.read');
  const settled = await db.transaction().execute(async tx => {
    const invoice = await invoices.lock(tx, known.invoice_id);
    const attempt = (await attemptById(tx, known.id))!;
    // What the provider holds must be what we asked for; anything else is not our payment (S37).
    const sameMoney = payment.currency === attempt.currency && payment.amount === attempt.amount;
    if (!sameMoney || (attempt.provider_ref && attempt.provider_ref !== payment.providerRef)) {
      throw new Error(`Attempt ${attempt.id} and the provider's payment do not agree`);
    }
    const next = followProvider(attempt.status, payment.status);
    if (next === attempt.status) return next;
    const now = clock.now();

    if (next === 'succeeded') {
      if (payment.received !== attempt.amount) {
        throw new Error(`Attempt ${attempt.id} succeeded with another amount`);
      }
      const excess = invoice.status !== 'draft';
      await updateAttempt(tx, now, attempt.id, {
        status: next,
        excess,
        failure: null,
        provider_ref: payment.providerRef,
      });
      if (excess) {
        await invoices.recordExcess(tx, now, {
          attemptId: attempt.id,
          currency: attempt.currency,
          amount: attempt.amount,
        });
        await jobs.enqueue(tx, 'refundExcess', { attemptId: attempt.id });
      } else {
        await invoices.pay(tx, now, invoice.id, attempt.id);
        await onOutcome(tx, { orderId: invoice.orderId, result: 'paid' });
      }
      return next;
    }

    const failure = next === 'failed' ? declineRefusal(payment.declineCode) : null;
    await updateAttempt(tx, now, attempt.id, { status: next, failure, provider_ref: payment.providerRef });
    if (failure && invoice.status === 'draft') {
      await onOutcome(tx, { orderId: invoice.orderId, result: 'refused', failure });
    }
    return next;
  });
  failPoint('payment.settled');
  return settled;
}
