import type { MethodFacts } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { type AttemptWithRef, attemptWithRef } from '../store.ts';
import { storeMethod } from './store-method.ts';

/**
 * Saves what a payment was made with, for renewals. The same card once, however often it is used. It becomes the default
 * only where there is none: changing that needs its owner's step-up.
 */
export async function saveMethod(deps: PaymentDeps, attemptId: string, customerId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await attemptWithRef(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method || !asked.attempt.gateway_customer_id) return;
  const { attempt, language } = asked;
  // This may come late: a saved card that its owner has removed since does not come back.
  const { cards } = gatewayOf(gateways, attempt.method);
  if (cards && !(await cards.readSaved(method.ref))) return;
  await storeMethod(deps, {
    customerId,
    gatewayCustomerId: asked.attempt.gateway_customer_id,
    method,
    language,
    // When its owner pressed Pay beside the sentence.
    consentedAt: attempt.created_at,
  });
}

/**
 * What a payment was made with, where it can be used again.
 * @throws when it will be, and is not there yet: the job comes again, for about a day
 */
async function paidWith(
  { gateways }: PaymentDeps,
  { attempt, ref }: AttemptWithRef,
): Promise<MethodFacts | undefined> {
  if (!attempt.provider_ref) return undefined;
  const reported = await gatewayOf(gateways, attempt.method).ask(ref);
  const method = reported === 'unknown' ? undefined : reported.method;
  if (method === 'later') throw new Error(`What paid ${attempt.id} is not to be used again yet`);
  return method;
}

/** Has the gateway forget what a payment was made with, where no account has saved it. */
export async function forgetUnsaved(deps: PaymentDeps, attemptId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await attemptWithRef(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method) return;
  const kept = await db
    .selectFrom('saved_method')
    .select('id')
    .where('provider_ref', '=', method.ref)
    .executeTakeFirst();
  if (!kept) await gatewayOf(gateways, asked.attempt.method).forget?.(method.ref);
}
