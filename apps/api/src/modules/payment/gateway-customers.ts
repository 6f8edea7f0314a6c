import { newId } from '../../crypto/secrets.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import type { Db } from '../../ports/database.ts';
import { type PaymentGateway, type Provider, UnknownGatewayCustomer } from '../../ports/payment-gateway.ts';
import type { PaymentDeps } from './deps.ts';

/**
 * The gateway customer of a payer: one for an account, however often it buys. A guest's is that of the invoice's earlier
 * attempts, or a new one.
 * @returns its id
 */
export async function gatewayCustomerFor(
  tx: Db,
  now: Date,
  provider: Provider,
  who: { customerId: string | null; earlier: string | undefined },
): Promise<string> {
  const { customerId, earlier } = who;
  if (customerId === null && earlier) {
    const known = await tx
      .selectFrom('gateway_customer')
      .select('id')
      .where('id', '=', earlier)
      .where('provider', '=', provider)
      .executeTakeFirst();
    if (known) return known.id;
  }
  const own = customerId === null ? undefined : await gatewayCustomerOf(tx, customerId, provider);
  if (own) return own;
  const made = await tx
    .insertInto('gateway_customer')
    .values({ id: newId('pay'), customer_id: customerId, provider, created_at: now })
    .onConflict(conflict =>
      conflict.columns(['customer_id', 'provider']).where('customer_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  // A concurrent request created it.
  return made?.id ?? (await gatewayCustomerOf(tx, customerId!, provider))!;
}

/** A gateway customer for a guest, to be written with their first attempt. */
export const newGuest = (provider: Provider, now: Date) => ({
  id: newId('pay'),
  customer_id: null,
  provider,
  created_at: now,
});

async function gatewayCustomerOf(
  tx: Db,
  customerId: string,
  provider: Provider,
): Promise<string | undefined> {
  const gatewayCustomer = await tx
    .selectFrom('gateway_customer')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return gatewayCustomer?.id;
}

/** Creates the customer at the gateway where it does not exist yet, and stores the gateway's ID for it. */
export async function introduceGatewayCustomer(
  deps: PaymentDeps,
  gateway: PaymentGateway,
  gatewayCustomerId: string,
): Promise<void> {
  const ref = await createAtGateway(deps, gateway, gatewayCustomerId);
  if (!ref) return;
  await deps.db
    .updateTable('gateway_customer')
    .set({ provider_ref: ref })
    .where('id', '=', gatewayCustomerId)
    .where('provider_ref', 'is', null)
    .execute();
}

/**
 * Creates the customer at the gateway where it does not exist yet. Each try has its own idempotency key, which is written
 * before the call: the gateway repeats a fault for the old key for a day, and a second customer there does no harm.
 * @returns the gateway's ID of a new one, which must be stored before it is used; undefined: there was one
 */
export async function createAtGateway(
  { db }: PaymentDeps,
  gateway: PaymentGateway,
  gatewayCustomerId: string,
): Promise<string | undefined> {
  if (!gateway.createGatewayCustomer) return;
  const unknown = await db
    .updateTable('gateway_customer')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', gatewayCustomerId)
    .where('provider_ref', 'is', null)
    .returning('tries')
    .executeTakeFirst();
  if (!unknown) return;
  const ref = await gateway.createGatewayCustomer({
    id: gatewayCustomerId,
    key: `${gatewayCustomerId}-${unknown.tries}`,
  });
  failPoint('provider.customerMade');
  return ref;
}

/** Whether a call failed because the gateway has deleted the customer. The next call creates it again. */
export async function isForgotten(
  { db }: PaymentDeps,
  error: unknown,
  gatewayCustomer: { id: string; ref: string },
): Promise<boolean> {
  if (!(error instanceof UnknownGatewayCustomer)) return false;
  await db
    .updateTable('gateway_customer')
    .set({ provider_ref: null })
    .where('id', '=', gatewayCustomer.id)
    .where('provider_ref', '=', gatewayCustomer.ref)
    .execute();
  return true;
}
