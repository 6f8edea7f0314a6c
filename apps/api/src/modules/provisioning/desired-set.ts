import type { DesiredAnswer, DesiredSet } from '@fixpoint/contract/agent.ts';
import { LEASE_MS } from '@fixpoint/domain/host/host.ts';
import { servedUntil } from '@fixpoint/domain/subscription/subscription.ts';
import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../ports/database.ts';
import type { Signer } from '../../ports/signer.ts';
import { partColumns, partOf } from './own-ranges.ts';
import { newProbe } from './probe.ts';

/**
 * Desired set of a host and its revision, read in one snapshot: the changes since the host's revision, or everything when
 * those are unknown. Decrypts keys and signs probes after the snapshot, because both are slow.
 * @param since revision that the host has; 0: none
 */
export async function desiredSet(
  db: Db,
  signer: Signer,
  now: Date,
  hostId: string,
  since: number,
): Promise<DesiredAnswer> {
  const { head, changed, rows } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async tx => {
      const { applied_revision, moved, changed, ...host } = await headOf(tx, hostId, since);
      const head = { hostId, ...host, leaseSeconds: LEASE_MS / 1000, moved };
      if (since === 0 || since < applied_revision || since > host.revision)
        return { head, rows: await served(tx, now, hostId) };
      return { head, changed, rows: await served(tx, now, hostId, changed) };
    });
  const subscriptions = await Promise.all(rows.map(row => subscriptionOf(signer, now, row)));
  if (!changed) return { ...head, ...(since > 0 && { restored: true as const }), subscriptions };
  const here = new Set(rows.map(row => row.subscription_id));
  return { ...head, base: since, subscriptions, gone: changed.filter(id => !here.has(id)) };
}

/**
 * Fields of the host itself, the subscriptions that changed since a revision (`changed`), and those that leave for another
 * host (`moved`): clients of the latter are told to reconnect, not to stop.
 */
const headOf = (tx: Db, hostId: string, since: number) =>
  tx
    .selectFrom('host')
    .select(['revision', 'applied_revision', 'dns'])
    .select(({ selectFrom }) => [
      sql<string[]>`array(${selectFrom('assignment as old')
        .innerJoin('assignment as next', 'next.subscription_id', 'old.subscription_id')
        .select('old.subscription_id')
        .where('old.host_id', '=', hostId)
        .where('old.status', '=', 'leaving')
        .where('next.status', '!=', 'leaving')})`.as('moved'),
      sql<string[]>`array(${selectFrom('pending_change')
        .select('subscription_id')
        .distinct()
        .where('host_id', '=', hostId)
        .where('revision', '>', since)
        .where('subscription_id', 'is not', null)})`.as('changed'),
    ])
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow();

/** SQL condition on an assignment: no other host may still serve its address. Two hosts must never serve one address. */
export const aloneAtAddress: RawBuilder<boolean> = sql<boolean>`not exists (
  select from assignment other where other.address = assignment.address and other.host_id <> assignment.host_id
    and other.status = 'leaving')`;

/** @param only limits the answer to these subscriptions */
const served = (tx: Db, now: Date, hostId: string, only?: string[]) =>
  tx
    .selectFrom('assignment')
    .where('assignment.host_id', '=', hostId)
    .where('assignment.status', '!=', 'leaving')
    .where(aloneAtAddress)
    .$if(only !== undefined, query => query.where(sql<boolean>`assignment.subscription_id = any(${only!})`))
    .innerJoin('subscription', 'subscription.id', 'assignment.subscription_id')
    .innerJoin('subscription_identity as identity', 'identity.subscription_id', 'subscription.id')
    .innerJoin('static_ip', 'static_ip.address', 'assignment.address')
    .innerJoin('address_pool as pool', 'pool.id', 'static_ip.pool_id')
    .selectAll('assignment')
    .select([
      'subscription.status as subscription_status',
      'pool.port',
      'pool.tcp_port',
      ...partColumns,
      'subscription.rate_mbit',
      'subscription.suspended',
      'subscription.period_end',
      'subscription.cancel_at_period_end',
      'identity.ca',
      'identity.ca_key_sealed',
      'identity.tls_crypt_sealed',
      sql<string>`host(static_ip.bind_address)`.as('bind_address'),
      sql<string>`host(static_ip.address)`.as('public_address'),
    ])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom('vpn_key')
          .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
          .select(['vpn_key.id', 'vpn_key.address', 'vpn_key.forwarded_port', 'key_rate.rate_mbit'])
          .select('vpn_key.block_when_ended')
          .whereRef('vpn_key.subscription_id', '=', 'assignment.subscription_id')
          .where('vpn_key.deleted_at', 'is', null)
          .where('subscription.suspended', '=', false)
          .orderBy('vpn_key.address'),
      ).as('keys'),
      jsonArrayFrom(
        selectFrom('vpn_key')
          .innerJoin('certificate', 'certificate.key_id', 'vpn_key.id')
          .select(['certificate.key_id as keyId', 'certificate.serial', 'certificate.not_after'])
          .whereRef('vpn_key.subscription_id', '=', 'assignment.subscription_id')
          .where('certificate.revoked', '=', true)
          .where('certificate.not_after', '>', now)
          .orderBy('certificate.serial'),
      ).as('revoked'),
    ])
    .orderBy('assignment.slot')
    .execute();

async function subscriptionOf(
  signer: Signer,
  now: Date,
  row: Awaited<ReturnType<typeof served>>[number],
): Promise<DesiredSet['subscriptions'][number]> {
  const subscriptionId = row.subscription_id;
  const serverKey = signer.openServerKey({ subscriptionId, serverKeySealed: row.server_key_sealed });
  const tlsCrypt = signer.openTlsCrypt({ subscriptionId, tlsCryptSealed: row.tls_crypt_sealed });
  const authority = { subscriptionId, ca: row.ca, caKeySealed: row.ca_key_sealed };
  const probe =
    row.subscription_status === 'provisioning' && (await newProbe(signer, authority, row.keys, now));
  const end = servedUntil({ end: row.period_end, cancelled: row.cancel_at_period_end });
  const prefix6 = partOf(row);
  return {
    id: subscriptionId,
    slot: row.slot,
    bindAddress: row.bind_address,
    publicAddress: row.public_address,
    ...(prefix6 && { prefix6 }),
    port: row.port,
    ...(row.tcp_port !== null && { tcpPort: row.tcp_port }),
    rateMbit: row.rate_mbit,
    ...(row.suspended && { suspended: true as const }),
    ...(end && { endsAt: end.toISOString() }),
    ca: row.ca,
    serverCertificate: row.server_certificate,
    serverKey,
    tlsCrypt,
    ...(probe && { probe }),
    keys: row.keys.map(key => ({
      id: key.id,
      address: key.address,
      ...(key.rate_mbit !== null && { rateMbit: key.rate_mbit }),
      ...(key.forwarded_port !== null && { forwardedPort: key.forwarded_port }),
      ...(key.block_when_ended && { blockWhenEnded: true as const }),
    })),
    revoked: row.revoked.map(({ not_after, ...file }) => ({
      ...file,
      // JSON has no dates: PostgreSQL wrote its own text form.
      endsAt: new Date(not_after).toISOString(),
    })),
  };
}
