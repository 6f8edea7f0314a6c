import type { Drift } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type HostDrift = {
  id: string;
  /** Changes that the host has not said to have applied. */
  behind: number;
  /** Where its kernel is not what it was given. */
  drift: Drift[];
  /** Rights that are paid and that it has been given and does not run, and those that it has and nobody has paid. */
  unserved: number;
  unpaid: number;
};

/**
 * Paid rights against what hosts have, place by place down to the kernel: all numbers are 0 a few seconds after any change.
 * Hosts that are retired serve nobody, whatever they said last.
 */
export async function entitlementDrift(db: Db): Promise<HostDrift[]> {
  const { rows } = await sql<HostDrift>`
    select host.id, host.drift,
      ((host.revision - host.applied_revision) + (
        select count(*) from pending_change change where change.host_id = host.id and change.revision is null))::int as behind,
      rights.unserved, rights.unpaid
    from host cross join lateral (
      select
        (count(*) filter (where subscription.status in ('active', 'pastDue')
          and assignment.status in ('desired', 'failed')))::int as unserved,
        (count(*) filter (where subscription.status = 'expired' and assignment.status <> 'leaving'))::int as unpaid
      from assignment join subscription on subscription.id = assignment.subscription_id
      where assignment.host_id = host.id
    ) rights
    where host.status = 'active' order by host.id`.execute(db);
  return rows;
}

/** Subscriptions that are paid and on no host in service: they are in no number of any host. */
export async function servedNowhere(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from subscription
    where status in ('active', 'pastDue') and not exists (
      select from assignment join host on host.id = assignment.host_id
      where assignment.subscription_id = subscription.id and assignment.status <> 'leaving'
        and host.status <> 'retired')`.execute(db);
  return rows[0]!.count;
}

/** What is compared on a host, in an operator's words. */
const WORDS = {
  address: 'addresses on the card',
  device: 'tunnel devices and their routes',
  setting: 'settings of the kernel and its rules of routing',
  firewall: 'entries of the firewall',
  rate: 'classes of line rates',
  client: 'keys that are let in, certificates that are refused',
  process: 'servers',
  session: 'sessions',
  relay: 'ports of TCP',
  savedSet: 'the set on its disk (is that full or read-only?)',
} as const;

/** What differs on a host, a line each, in an operator's words; nothing where it is what was paid for. */
const driftLines = ({ behind, unserved, unpaid, drift }: Omit<HostDrift, 'id'>): string[] => [
  ...(behind > 0 ? [`has not applied its last ${behind} changes yet`] : []),
  ...(unserved > 0 ? [`does not serve ${unserved} subscriptions that are paid`] : []),
  ...(unpaid > 0 ? [`has ${unpaid} subscriptions that are paid no more`] : []),
  ...drift.map(({ what, more, missing }) => `${WORDS[what]}: ${more} too many, ${missing} missing`),
];

/** What differs on each host in service, line by line, none where it is what was paid for; and what is paid and on no host. */
export async function driftByHost(db: Db): Promise<{ where: string; lines: string[] }[]> {
  const hosts = await entitlementDrift(db);
  const nowhere = await servedNowhere(db);
  return [
    ...hosts.map(host => ({ where: host.id, lines: driftLines(host) })),
    ...(nowhere > 0
      ? [{ where: 'on no host in service', lines: [`${nowhere} subscriptions that are paid`] }]
      : []),
  ];
}

/** How much of it there is, as one number. */
export const driftSum = ({ behind, drift, unserved, unpaid }: Omit<HostDrift, 'id'>): number =>
  drift.reduce((sum, { more, missing }) => sum + more + missing, behind + unserved + unpaid);
