import type { Db } from '../../ports/database.ts';
import type { Signer } from '../../ports/signer.ts';

/** Identity of a subscription and its first server certificate. Created outside transactions, because it is slow. */
export type NewIdentity = Awaited<ReturnType<typeof newIdentity>>;

export const newIdentity = async (signer: Signer, subscriptionId: string, now: Date) => {
  const serverName = subscriptionId.replace('_', '-');
  return { serverName, ...(await signer.newSubscription({ subscriptionId, serverName, now })) };
};

/** Stores the identity that the files of a new subscription trust. */
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

/** Resumes the identity of a subscription. If it is deleted already, inserts the new one, and customers need new files. */
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

/** Issues a server certificate under the existing identity of a subscription. Undefined when it has none. */
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
