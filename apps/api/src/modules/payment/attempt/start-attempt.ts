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
 * Sends an attempt to its gateway, or sends it again, with the same idempotency key while no answer came. After an answer
 * with a fault, which the gateway repeats for the key, or a deleted gateway customer, it is tried once with another key. That
 * is safe: nobody has the secret of the earlier payment. A saved method may have been charged all the same, so it gets
 * another key only once such a charge would be listed.
 */
async function startAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const gatewayCustomerId = attempt.gateway_customer_id!;
  for (let again = false; ; again = true) {
    // The owner of a saved method has a gateway customer already.
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
 * The answer for an attempt whose saved method its owner has removed. Without the method it would be another payment. Whether
 * the first call has charged it, the gateway reports within some hours.
 */
function chargedWithout({ clock }: PaymentDeps, { tries, created_at }: Attempt, ref: AttemptRef): Reported {
  if (tries > 0 && clock.now().getTime() - created_at.getTime() < LISTED_MS)
    throw new NamedFault('providerUnreachable');
  return { ...nothingMade(ref), decline: 'resource_missing' };
}

/** Whether an earlier call may have charged a saved method without the gateway listing it yet. */
export const mayBeCharged = ({ clock }: PaymentDeps, { by_saved, created_at }: Attempt): boolean =>
  by_saved && clock.now().getTime() - created_at.getTime() < CHARGED_MS;

/** Finds the payment of an attempt whose answer was lost. Where there is none, sends it again with its key. */
export async function findAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const found =
    attempt.tries > 0 ? await gateway.ask(await attemptRef(deps.db, attempt)) : ('unknown' as const);
  return found === 'unknown' ? startAttempt(deps, attempt) : found;
}
