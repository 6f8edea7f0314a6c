import { mayBeCaptured, openAttempt, payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../../ports/database.ts';
import { type LockedInvoice, lockInvoice } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { type Attempt, attemptById } from '../store.ts';
import { transitionAttempt } from './store.ts';

/**
 * Decides whether to capture a payment that its payer has approved. Under the lock of the invoice: marks it as processing
 * before the gateway is called, if it is the amount due and its payer is not blocked; else closes it, so that it is never
 * captured.
 * @param of `closes`: whether its gateway can close it: then it is left to the next poll, which does
 * @returns the attempt to capture now; undefined also while another process may be capturing it
 */
export async function markForCapture(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  { ref, closes, blocked }: { ref: string | null; closes: boolean; blocked: boolean },
): Promise<Attempt | undefined> {
  const { status, updated_at } = attempt;
  // A closed attempt is never captured; a declined one would be declined again.
  if (!openAttempt.includes(status) || mayBeCaptured(status, updated_at, now)) return undefined;
  const wanted = !blocked && invoice.due === attempt.amount;
  if (!wanted && !blocked && closes) return undefined;
  await transitionAttempt(tx, now, attempt, wanted ? 'processing' : 'closed', { provider_ref: ref });
  return wanted ? (await attemptById(tx, attempt.id))! : undefined;
}

/**
 * Closes an attempt that only the shop can capture, without a call to the gateway. One that may have been captured meanwhile is
 * closed only by a caller that has just asked the gateway.
 * @param asked the attempt as it was before the gateway said that nothing was captured
 * @returns whether it is closed, or over
 */
export const closeUncaptured = (
  { db, clock }: PaymentDeps,
  known: Attempt,
  asked?: Attempt,
): Promise<boolean> =>
  db.transaction().execute(async tx => {
    await lockInvoice(tx, known.invoice_id);
    const attempt = (await attemptById(tx, known.id))!;
    if (!payableAttempt.includes(attempt.status)) return true;
    const now = clock.now();
    if (attempt.status === 'processing') {
      const unchanged = asked?.version === attempt.version;
      if (!unchanged || mayBeCaptured(attempt.status, attempt.updated_at, now)) return false;
    }
    await transitionAttempt(tx, now, attempt, 'closed');
    return true;
  });
