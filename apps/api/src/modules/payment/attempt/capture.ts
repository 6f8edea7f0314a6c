import { mayBeCaptured, openAttempt, payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../../ports/database.ts';
import { type LockedInvoice, lockInvoice } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { type Attempt, attemptById } from '../store.ts';
import { moveAttempt } from './store.ts';

/**
 * Decides about a payment that its payer has approved and only our call captures. Under the lock of the invoice: marks it as
 * processing where the invoice asks for just that, before the gateway is called; else closes it, so that it never is.
 * @returns the attempt to capture now; undefined also while another process may be capturing it
 */
export async function markForCapture(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  ref: string | null,
): Promise<Attempt | undefined> {
  const { status, updated_at } = attempt;
  // Closed means that we never capture it; what was refused would be refused again.
  if (!openAttempt.includes(status) || mayBeCaptured(status, updated_at, now)) return undefined;
  const wanted = invoice.due === attempt.amount;
  await moveAttempt(tx, now, attempt, wanted ? 'processing' : 'closed', { provider_ref: ref });
  return wanted ? (await attemptById(tx, attempt.id))! : undefined;
}

/**
 * Closes what only we would capture; no gateway is asked. What may have been captured meanwhile is closed only by who has
 * just asked about it.
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
    await moveAttempt(tx, now, attempt, 'closed');
    return true;
  });
