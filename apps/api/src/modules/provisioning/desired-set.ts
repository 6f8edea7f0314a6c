import type { DesiredSet } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Signer } from '../../ports/signer.ts';

/** Everything that a host shall run, with the revision that it belongs to, read in one snapshot. */
export async function desiredSet(db: Db, signer: Signer, now: Date, hostId: string): Promise<DesiredSet> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async tx => {
      const host = await tx
        .selectFrom('host')
        .select(['revision', 'dns'])
        .where('id', '=', hostId)
        .executeTakeFirstOrThrow();
      const rows = await tx
        .selectFrom('assignment')
        .innerJoin('subscription', 'subscription.id', 'assignment.subscription_id')
        .innerJoin('subscription_identity as identity', 'identity.subscription_id', 'subscription.id')
        .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
        .selectAll('assignment')
        .select([
          'subscription.rate_mbit',
          'identity.ca',
          'identity.tls_crypt_sealed',
          sql<string>`host(static_ip.bind_address)`.as('bind_address'),
          sql<string>`host(static_ip.address)`.as('public_address'),
        ])
        .where('assignment.host_id', '=', hostId)
        .where('assignment.status', '!=', 'leaving')
        .orderBy('assignment.slot')
        .execute();
      const keys = await tx
        .selectFrom('vpn_key')
        .innerJoin('assignment', 'assignment.subscription_id', 'vpn_key.subscription_id')
        .innerJoin('subscription', 'subscription.id', 'vpn_key.subscription_id')
        .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
        .select(['vpn_key.id', 'vpn_key.subscription_id', 'vpn_key.address', 'key_rate.rate_mbit'])
        .where('assignment.host_id', '=', hostId)
        .where('assignment.status', '!=', 'leaving')
        .where('vpn_key.deleted_at', 'is', null)
        .where('subscription.suspended', '=', false)
        .orderBy('vpn_key.address')
        .execute();
      const revoked = await tx
        .selectFrom('certificate')
        .innerJoin('vpn_key', 'vpn_key.id', 'certificate.key_id')
        .innerJoin('assignment', 'assignment.subscription_id', 'vpn_key.subscription_id')
        .select(['certificate.serial', 'certificate.key_id', 'vpn_key.subscription_id'])
        .where('assignment.host_id', '=', hostId)
        .where('assignment.status', '!=', 'leaving')
        .where('certificate.revoked', '=', true)
        .where('certificate.not_after', '>', now)
        .orderBy('certificate.serial')
        .execute();

      const keysOf = Map.groupBy(keys, key => key.subscription_id);
      const revokedOf = Map.groupBy(revoked, certificate => certificate.subscription_id);
      return {
        hostId,
        revision: host.revision,
        dns: host.dns,
        subscriptions: rows.map(row => {
          const serverKey = signer.openServerKey({
            subscriptionId: row.subscription_id,
            serverKeySealed: row.server_key_sealed,
          });
          const tlsCrypt = signer.openTlsCrypt({
            subscriptionId: row.subscription_id,
            tlsCryptSealed: row.tls_crypt_sealed,
          });
          return {
            id: row.subscription_id,
            slot: row.slot,
            bindAddress: row.bind_address,
            publicAddress: row.public_address,
            port: row.port,
            rateMbit: row.rate_mbit,
            ca: row.ca,
            serverCertificate: row.server_certificate,
            serverKey,
            tlsCrypt,
            keys: (keysOf.get(row.subscription_id) ?? []).map(key => ({
              id: key.id,
              address: key.address,
              ...(key.rate_mbit !== null && { rateMbit: key.rate_mbit }),
            })),
            revoked: (revokedOf.get(row.subscription_id) ?? []).map(({ key_id: keyId, serial }) => ({
              keyId,
              serial,
            })),
          };
        }),
      };
    });
}
