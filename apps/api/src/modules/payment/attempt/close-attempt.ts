import { NamedFault } from '../../../kernel/refusal.ts';
import { nothingMade, type Reported } from '../../../ports/payment-gateway.ts';
import { readAmountDue } from '../../billing/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { type Attempt, attemptById, attemptRef } from '../store.ts';
import { closeUncaptured } from './capture.ts';
import { followPayment } from './follow-payment.ts';
import { findAttempt, LISTED_MS, mayBeCharged } from './start-attempt.ts';

/** Closes an attempt at its gateway and applies what that reports. Money that was faster counts. */
export async function closeAttempt(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  if (!gateway.close) return closeCapturable(deps, attempt);
  let current = attempt;
  if (!current.provider_ref) {
    if (await closeUnsent(deps, attempt)) return;
    // It is unknown whether the attempt reached the gateway. Finding it, or sending it again, yields the ID to close it by. A
    // saved method would be charged by sending, so if the invoice takes no money any more, the gateway is only asked.
    const sends = !attempt.by_saved || (await readAmountDue(deps.db, attempt.invoice_id)).due !== undefined;
    const found = sends ? await findAttempt(deps, attempt) : await askCharged(deps, attempt);
    const { status } = await followPayment(deps, attempt, found);
    // The gateway refused it, so there is nothing to close there.
    if (status === 'closed') return;
    current = { ...attempt, provider_ref: found.ref };
  }
  const reported = await gateway.close(await attemptRef(deps.db, current));
  if (reported === 'unknown') throw new NamedFault('providerUnreachable');
  await followPayment(deps, current, reported);
}

/** Finds the charge of a call whose answer was lost. Reports none where the gateway would list a charge by now. */
async function askCharged(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const ref = await attemptRef(deps.db, attempt);
  const found = await gatewayOf(deps.gateways, attempt.method).ask(ref);
  if (found !== 'unknown') return found;
  if (mayBeCharged(deps, attempt)) throw new NamedFault('providerUnreachable');
  return nothingMade(ref);
}

/** Closes an attempt that only the shop can capture. Asks the gateway first where it may have been captured. */
async function closeCapturable(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  // A saved account is charged by the first call, whose answer may be lost.
  const charged = attempt.by_saved && attempt.tries > 0;
  if (!charged && (await closeUncaptured(deps, attempt))) return;
  const now = (await attemptById(deps.db, attempt.id))!;
  const asked = { ...now, provider_ref: now.provider_ref ?? attempt.provider_ref };
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const reported = await gateway.ask(await attemptRef(deps.db, asked));
  if (reported === 'unknown') {
    const listed = deps.clock.now().getTime() - attempt.created_at.getTime() > LISTED_MS;
    if (charged && listed && (await closeUncaptured(deps, attempt, asked))) return;
    throw new NamedFault('providerUnreachable');
  }
  if (reported.state === 'open' || reported.state === 'approved') await closeUncaptured(deps, attempt, asked);
  else await followPayment(deps, asked, reported);
}

/** Closes an attempt that was never sent, without asking its gateway. @returns whether it is closed */
async function closeUnsent({ db, clock }: PaymentDeps, { id }: Attempt): Promise<boolean> {
  await db
    .updateTable('attempt')
    .set(eb => ({ status: 'closed', version: eb('version', '+', 1), updated_at: clock.now(), ask_at: null }))
    .where('id', '=', id)
    .where('status', '=', 'created')
    .where('tries', '=', 0)
    .execute();
  return (await attemptById(db, id))!.status === 'closed';
}
