import { mayBeCaptured, openAttempt, payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../../ports/database.ts';
import { type LockedInvoice, lockInvoice } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { type Attempt, attemptById } from '../store.ts';
import { moveAttempt } from './store.ts';

/**
 * The payer has agreed, and no money comes but by our own call. Under the lock of the invoice: what it wants is marked as
 * being taken before anybody is asked, what it does not want any more is closed, and so never taken.
 * @returns the attempt whose money is to be taken now; undefined also while somebody else may be at it
 */
export async function markForCapture(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  ref: string | null,
): Promise<Attempt | undefined> {
  const { status, updated_at } = attempt;
  // Closed is our word that it is never taken; what was refused would be refused again.
  if (!openAttempt.includes(status) || mayBeCaptured(status, updated_at, now)) return undefined;
  const wanted = invoice.due === attempt.amount;
  await moveAttempt(tx, now, attempt, wanted ? 'processing' : 'closed', { provider_ref: ref });
  return wanted ? (await attemptById(tx, attempt.id))! : undefined;
}

/**
 * Closes what only we would take, by our own word. What may have been taken meanwhile is only closed by who has just
 * asked about it.
 * @param asked as it was before the provider said that nothing was taken
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
    await moveAttempt(tx, now, attempt, 'closed');
    return true;
  });
