import { isOnline } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import { contactEmail } from '../../database/contact.ts';
import type { Db } from '../../ports/database.ts';
import { earlierMayServeUntil, mayServeUntil } from './fenced-host.ts';
import { lockHost } from './hosts.ts';

export type HostLine = {
  id: string;
  place: string;
  /** `silent`: enrolled, but without recent reports. */
  state: 'enrolling' | 'up' | 'silent' | 'draining' | 'retired';
  capacity: number;
  runs: number;
  addresses: number;
  free: number;
  /** Version of its agent, as it last reported; null: it has not. */
  agent: string | null;
};

/** All hosts with capacity and use. */
export async function hostList(db: Db, now: Date): Promise<HostLine[]> {
  const { rows } = await sql<
    Omit<HostLine, 'state'> & {
      status: 'enrolling' | 'active' | 'retired';
      draining: boolean;
      seen_at: Date | null;
    }
  >`
    select host.id, provider_id || ', ' || region_id || ', ' || vendor_id as place, status, draining, seen_at, capacity,
      agent_version as agent,
      (select count(*)::int from assignment where host_id = host.id and assignment.status <> 'leaving') as runs,
      coalesce(ips.addresses, 0) as addresses, coalesce(ips.free, 0) as free
    from host left join lateral (
      select count(*)::int as addresses,
        (select count(*)::int from free_address
          where free_address.host_id = host.id and (cooldown_until is null or cooldown_until <= ${now})) as free
      from static_ip join address_pool pool on pool.id = pool_id where pool.host_id = host.id
    ) ips on true
    order by host.id`.execute(db);
  return rows.map(({ status, draining, seen_at, ...line }) => ({
    ...line,
    state: status === 'active' ? stateOf(draining, isOnline(seen_at, now)) : status,
  }));
}

const stateOf = (draining: boolean, heard: boolean) => {
  if (!heard) return 'silent';
  return draining ? 'draining' : 'up';
};

/** One host with its ranges and pending work. @throws Error for an unknown host */
export async function hostDetails(db: Db, now: Date, hostId: string) {
  const row = await lockHost(db, hostId);
  const line = (await hostList(db, now)).find(({ id }) => id === hostId)!;
  const { rows: pools } = await sql<PoolLine>`
    select pool.id, pool.prefix6, pool.port, pool.tcp_port as "tcpPort", pool.routing, pool.routed, pool.moving_from as "movingFrom",
      count(*)::int as addresses, count(subscription_id)::int as taken,
      case when min(bind_address) <> min(address) then host(min(bind_address)) end as bind
    from address_pool pool join static_ip on pool_id = pool.id where pool.host_id = ${hostId}
    group by pool.id order by pool.prefix`.execute(db);
  return {
    ...line,
    dns: row.dns,
    machine: row.machine,
    ownAddresses: row.own_addresses,
    weight: row.weight,
    seenAt: row.seen_at,
    behind: row.revision - row.applied_revision,
    pools,
    earlierMayServeUntil: await earlierMayServeUntil(db, hostId, now),
    mayServeUntil: await mayServeUntil(db, hostId, now),
  };
}

export type PoolLine = {
  id: string;
  prefix6: string | null;
  port: number;
  tcpPort: number | null;
  routing: 'static' | 'hcloud';
  routed: boolean;
  movingFrom: string | null;
  addresses: number;
  taken: number;
  /** First address that hosts bind, when it differs from the public one. */
  bind: string | null;
};

/** Most customers that the view of a host names. */
const NAMED = 500;

/** Whose subscriptions a host runs. */
export const customersOnHost = (db: Db, hostId: string): Promise<{ email: string; subscription: string }[]> =>
  db
    .selectFrom('assignment')
    .innerJoin('subscription', 'subscription.id', 'assignment.subscription_id')
    .innerJoin('customer', 'customer.id', 'subscription.customer_id')
    .select([contactEmail.as('email'), 'subscription.id as subscription'])
    .where('assignment.host_id', '=', hostId)
    .where('assignment.status', '<>', 'leaving')
    .orderBy('email')
    .orderBy('subscription.id')
    .limit(NAMED)
    .execute();
