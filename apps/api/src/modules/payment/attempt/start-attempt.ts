import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import { type AttemptRef, nothingMade, type Reported } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { createAtGateway, isForgotten } from '../gateway-customers.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { countTry, nextTry } from './store.ts';

/** After this long a gateway that has charged a saved method reports it: webhooks and lists come late. */
const CHARGED_MS = 30 * 60_000;

/** A gateway may need this long to list what it has taken, with some to spare. */
export const LISTED_MS = 6 * 60 * 60_000;

/**
 * Sends an attempt to its gateway, or sends it again, with the same idempotency key while no answer came. A gateway that
 * *answers* with a fault repeats that answer for the key, so it is tried once more with another; so is one whose gateway
 * customer was deleted there. That is safe, since the earlier payment's secret never reached us and nobody can pay it. A
 * saved method may have been charged without: it gets another key only when that would have been found by now.
 */
async function startAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const gatewayCustomerId = attempt.gateway_customer_id!;
  for (let again = false; ; again = true) {
    // Whoever has saved something there is known there.
    const known = attempt.saved_method_id
      ? undefined
      : await createAtGateway(deps, gateway, gatewayCustomerId);
    const { tries, ref } = await countTry(deps.db, attempt, known);
    if (attempt.by_saved && !ref.savedRef) return chargedWithout(deps, attempt, ref);
    try {
      const reported = await gateway.start(ref);
      failPoint('provider.paymentMade');
      return reported;
    } catch (error) {
      const broken = error instanceof NamedFault && error.answered && !mayBeCharged(deps, attempt);
      const spent =
        broken || (await isForgotten(deps, error, { id: gatewayCustomerId, ref: ref.gatewayCustomerRef }));
      if (spent) await nextTry(deps.db, { ...attempt, tries });
      if (!spent || again) throw error;
    }
  }
}

/**
 * Its owner has removed the method that it was to be charged to. Sent without, it would be another payment; whether the first
 * call has charged it the gateway reports within some hours.
 */
function chargedWithout({ clock }: PaymentDeps, { tries, created_at }: Attempt, ref: AttemptRef): Reported {
  if (tries > 0 && clock.now().getTime() - created_at.getTime() < LISTED_MS)
    throw new NamedFault('providerUnreachable');
  return { ...nothingMade(ref), decline: 'resource_missing' };
}

/** Whether a call that was sent may have charged a saved method, and the gateway does not list it yet. */
export const mayBeCharged = ({ clock }: PaymentDeps, { by_saved, created_at }: Attempt): boolean =>
  by_saved && clock.now().getTime() - created_at.getTime() < CHARGED_MS;

/** Finds the payment of an attempt whose answer was lost. Where there is none, sends it again with its key. */
export async function findAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const found =
    attempt.tries > 0 ? await gateway.ask(await attemptRef(deps.db, attempt)) : ('unknown' as const);
  return found === 'unknown' ? startAttempt(deps, attempt) : found;
}
