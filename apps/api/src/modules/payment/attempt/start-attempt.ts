import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import { type AttemptRef, nothingMade, type Reported } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { isForgotten, newPayerRef } from '../gateway-customers.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { countTry, nextTry } from './store.ts';

/** By then a provider that has charged what was saved says so when it is asked: news and lists come late. */
const CHARGED_MS = 30 * 60_000;

/** So long a provider may need to list what it has taken, and some more. */
export const LISTED_MS = 6 * 60 * 60_000;

/**
 * Sends an attempt to its provider, or sends it again: with the same key while no answer came. A provider that *answers*
 * with a fault repeats that answer for the key, also a day after the fault is over, so it is tried once more at once, with
 * another; so it is where its payer was deleted there, who is introduced again. That is safe where nobody holds what he would
 * need to pay the earlier one, since its secret never reached us. What was saved needs nobody: it may have been charged. It
 * gets another key only when that would have been found by now.
 */
async function startAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const gatewayCustomerId = attempt.gateway_customer_id!;
  for (let again = false; ; again = true) {
    // Whoever has saved something there is known there.
    const known = attempt.saved_method_id ? undefined : await newPayerRef(deps, gateway, gatewayCustomerId);
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
 * Its owner has removed what it was to be charged to. Sent without, it would be another payment; whether the first call has
 * charged it its provider says within some hours.
 */
function chargedWithout({ clock }: PaymentDeps, { tries, created_at }: Attempt, ref: AttemptRef): Reported {
  if (tries > 0 && clock.now().getTime() - created_at.getTime() < LISTED_MS)
    throw new NamedFault('providerUnreachable');
  return { ...nothingMade(ref), decline: 'resource_missing' };
}

export const mayBeCharged = ({ clock }: PaymentDeps, { by_saved, created_at }: Attempt): boolean =>
  by_saved && clock.now().getTime() - created_at.getTime() < CHARGED_MS;

/** An attempt whose answer was lost: looked for, and when nothing is found sent again with its key. */
export async function findAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Reported> {
  const gateway = gatewayOf(deps.gateways, attempt.method);
  const found =
    attempt.tries > 0 ? await gateway.ask(await attemptRef(deps.db, attempt)) : ('unknown' as const);
  return found === 'unknown' ? startAttempt(deps, attempt) : found;
}
