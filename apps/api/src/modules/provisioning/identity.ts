import type { Db } from '../../ports/database.ts';
import type { Signer } from '../../ports/signer.ts';

/** What a customer's files trust, and the first certificate under it; made before any transaction, since it takes time. */
export type NewIdentity = Awaited<ReturnType<typeof newIdentity>>;

export const newIdentity = async (signer: Signer, subscriptionId: string, now: Date) => {
  const serverName = subscriptionId.replace('_', '-');
  return { serverName, ...(await signer.newSubscription({ subscriptionId, serverName, now })) };
};

/** Keeps what a new subscription's files will trust. */
export async function insertIdentity(
  tx: Db,
  subscription: { id: string; customerId: string },
  identity: NewIdentity,
): Promise<void> {
  await tx
    .insertInto('subscription_identity')
    .values({
      subscription_id: subscription.id,
      customer_id: subscription.customerId,
      server_name: identity.serverName,
      ca: identity.ca,
      ca_key_sealed: identity.caKeySealed,
      tls_crypt_sealed: identity.tlsCryptSealed,
    })
    .execute();
}

/**
 * What a subscription's files trusted goes on, where it is still there; otherwise they trust something new, and new files
 * are needed.
 */
export async function resumeIdentity(
  tx: Db,
  subscription: { id: string; customerId: string },
  identity: NewIdentity,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('subscription_identity')
    .set({ ended_at: null })
    .where('subscription_id', '=', subscription.id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await insertIdentity(tx, subscription, identity);
}

/** A server certificate under an identity that exists, for the host that a subscription goes to. */
export async function newServer(db: Db, signer: Signer, subscriptionId: string, now: Date) {
  const row = await db
    .selectFrom('subscription_identity')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  if (!row) return undefined;
  const authority = { ca: row.ca, caKeySealed: row.ca_key_sealed, subscriptionId };
  return signer.renewServer(authority, { serverName: row.server_name, now });
}
