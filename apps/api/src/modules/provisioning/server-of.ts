import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Server data for the configuration files of a subscription. Undefined while it has no host. */
export async function serverOf(db: Db, subscriptionId: string) {
  return db
    .selectFrom('subscription_identity as identity')
    .innerJoin('assignment', join =>
      join
        .onRef('assignment.subscription_id', '=', 'identity.subscription_id')
        .on('assignment.status', '!=', 'leaving'),
    )
    .innerJoin('static_ip', 'static_ip.subscription_id', 'identity.subscription_id')
    .innerJoin('address_pool as pool', 'pool.id', 'static_ip.pool_id')
    .select([
      'pool.port',
      'pool.tcp_port as tcpPort',
      'identity.server_name as serverName',
      'identity.ca',
      'identity.ca_key_sealed as caKeySealed',
      'identity.tls_crypt_sealed as tlsCryptSealed',
      sql<string>`host(static_ip.address)`.as('publicAddress'),
    ])
    .where('identity.subscription_id', '=', subscriptionId)
    .executeTakeFirst();
}
