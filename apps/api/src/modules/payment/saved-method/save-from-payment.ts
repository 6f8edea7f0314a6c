import type { MethodFacts } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { type AttemptWithRef, attemptWithRef } from '../store.ts';
import { storeMethod } from './store-method.ts';

/**
 * Saves the method of a payment for renewals; the same card once, however often it is used. It becomes the default only where
 * there is none, because changing the default needs its owner's step-up.
 */
export async function saveMethod(deps: PaymentDeps, attemptId: string, customerId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await attemptWithRef(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method || !asked.attempt.gateway_customer_id) return;
  const { attempt, language } = asked;
  // This job may run late: a card that its owner has removed since must not come back.
  const { cards } = gatewayOf(gateways, attempt.method);
  if (cards && !(await cards.readSaved(method.ref))) return;
  await storeMethod(deps, {
    customerId,
    gatewayCustomerId: asked.attempt.gateway_customer_id,
    method,
    language,
    // The owner pressed Pay beside the consent sentence then.
    consentedAt: attempt.created_at,
  });
}

/**
 * The method of a payment, if it can be charged again.
 * @throws while the gateway does not report it yet: the job retries for about a day
 */
async function paidWith(
  { gateways }: PaymentDeps,
  { attempt, ref }: AttemptWithRef,
): Promise<MethodFacts | undefined> {
  if (!attempt.provider_ref) return undefined;
  const reported = await gatewayOf(gateways, attempt.method).ask(ref);
  const method = reported === 'unknown' ? undefined : reported.method;
  if (method === 'later') throw new Error(`The gateway does not report the method of ${attempt.id} yet`);
  return method;
}

/** Detaches the method of a payment at its gateway, unless an account has saved it. */
export async function forgetUnsaved(deps: PaymentDeps, attemptId: string): Promise<void> {
  const { db, gateways } = deps;
  const asked = await attemptWithRef(db, eb => eb('id', '=', attemptId));
  const method = asked && (await paidWith(deps, asked));
  if (!method) return;
  const saved = await db
    .selectFrom('saved_method')
    .select('id')
    .where('provider_ref', '=', method.ref)
    .executeTakeFirst();
  if (!saved) await gatewayOf(gateways, asked.attempt.method).forget?.(method.ref);
}
