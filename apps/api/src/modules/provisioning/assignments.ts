import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';

const serverName = (subscriptionId: string) => subscriptionId.replace('_', '-');

/** The next revision of a host's desired set, and its agent woken. */
async function bump(tx: Db, live: LiveBus, hostId: string): Promise<void> {
  await tx
    .updateTable('host')
    .set({ revision: sql<number>`revision + 1` })
    .where('id', '=', hostId)
    .execute();
  await live.hostChanged(tx, hostId);
}

/**
 * Gives a subscription a host and a static IP: the host of its place with the most free addresses (K7).
 * False when no host there has one; the subscription then waits.
 */
export async function assign(
  { signer, clock, live }: { signer: Signer; clock: Clock; live: LiveBus },
  tx: Db,
  subscription: { id: string; providerId: string; regionId: string; vendorId: string },
): Promise<boolean> {
  const has = await tx
    .selectFrom('assignment')
    .select('host_id')
    .where('subscription_id', '=', subscription.id)
    .executeTakeFirst();
  if (has) return true;

  const free = await tx
    .selectFrom('static_ip as ip')
    .innerJoin('host', 'host.id', 'ip.host_id')
    .select(['ip.host_id', 'ip.slot'])
    .where('host.provider_id', '=', subscription.providerId)
    .where('host.region_id', '=', subscription.regionId)
    .where('host.vendor_id', '=', subscription.vendorId)
    .where('host.status', '=', 'active')
    .where('ip.subscription_id', 'is', null)
    .orderBy(
      eb =>
        eb
          .selectFrom('static_ip as used')
          .whereRef('used.host_id', '=', 'ip.host_id')
          .where('used.subscription_id', 'is not', null)
          .select(eb.fn.countAll().as('n')),
      'asc',
    )
    .orderBy('ip.slot')
    .limit(1)
    .forUpdate('ip')
    .skipLocked()
    .executeTakeFirst();
  if (!free) return false;

  await tx
    .updateTable('static_ip')
    .set({ subscription_id: subscription.id })
    .where('host_id', '=', free.host_id)
    .where('slot', '=', free.slot)
    .execute();
  const secrets = await signer.newSubscription({
    subscriptionId: subscription.id,
    serverName: serverName(subscription.id),
    now: clock.now(),
  });
  await tx
    .insertInto('assignment')
    .values({
      subscription_id: subscription.id,
      host_id: free.host_id,
      status: 'desired',
      server_name: serverName(subscription.id),
      ca: secrets.ca,
      ca_key_sealed: secrets.caKeySealed,
      server_certificate: secrets.serverCertificate,
      server_key_sealed: secrets.serverKeySealed,
      server_not_after: secrets.serverNotAfter,
      tls_crypt_sealed: secrets.tlsCryptSealed,
    })
    .execute();
  await bump(tx, live, free.host_id);
  return true;
}

/** Something of a subscription changed that its host must know (keys, rates, revoked files). */
export async function touch({ live }: { live: LiveBus }, tx: Db, subscriptionId: string): Promise<void> {
  const row = await tx
    .selectFrom('assignment')
    .select('host_id')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  if (row) await bump(tx, live, row.host_id);
}

/** An address that is given up rests this long before it is sold again (T9). */
const REST_MS = 7 * 24 * 60 * 60 * 1000;

/** Takes a subscription off its host; its address goes back into the pool when it has rested. */
export async function release(
  { live, clock }: { live: LiveBus; clock: Clock },
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  await touch({ live }, tx, subscriptionId);
  await tx.deleteFrom('assignment').where('subscription_id', '=', subscriptionId).execute();
  await tx
    .updateTable('static_ip')
    .set({ held_until: new Date(clock.now().getTime() + REST_MS) })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** Addresses that have rested go back into the pool. */
export async function freeRestedAddresses({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db
    .updateTable('static_ip')
    .set({ subscription_id: null, held_until: null })
    .where('held_until', '<=', clock.now())
    .execute();
}

/** What a configuration file of the subscription needs; undefined while it has no host. */
export async function serverOf(db: Db, subscriptionId: string) {
  return db
    .selectFrom('assignment')
    .innerJoin('static_ip', 'static_ip.subscription_id', 'assignment.subscription_id')
    .select([
      'assignment.port',
      'assignment.server_name as serverName',
      'assignment.ca',
      'assignment.ca_key_sealed as caKeySealed',
      'assignment.server_key_sealed as serverKeySealed',
      'assignment.tls_crypt_sealed as tlsCryptSealed',
      sql<string>`host(static_ip.public_address)`.as('publicAddress'),
    ])
    .where('assignment.subscription_id', '=', subscriptionId)
    .executeTakeFirst();
}

/** A server certificate is renewed this long before its end: time enough for a host that is away. */
const RENEW_BEFORE_MS = 60 * 24 * 60 * 60 * 1000;

/** Renews server certificates that end soon; their hosts fetch them like any other change. */
export async function renewServerCertificates(
  { db, signer, clock, live }: { db: Db; signer: Signer; clock: Clock; live: LiveBus },
  limit = 200,
): Promise<void> {
  const due = await db
    .selectFrom('assignment')
    .selectAll()
    .where('server_not_after', '<', new Date(clock.now().getTime() + RENEW_BEFORE_MS))
    .orderBy('server_not_after')
    .limit(limit)
    .execute();
  for (const row of due) {
    const renewed = await signer.renewServer(
      { ca: row.ca, caKeySealed: row.ca_key_sealed, subscriptionId: row.subscription_id },
      { serverName: row.server_name, now: clock.now() },
    );
    await db.transaction().execute(async tx => {
      await tx
        .updateTable('assignment')
        .set({
          server_certificate: renewed.serverCertificate,
          server_key_sealed: renewed.serverKeySealed,
          server_not_after: renewed.serverNotAfter,
        })
        .where('subscription_id', '=', row.subscription_id)
        .where('server_not_after', '=', row.server_not_after)
        .execute();
      await bump(tx, live, row.host_id);
    });
  }
}
