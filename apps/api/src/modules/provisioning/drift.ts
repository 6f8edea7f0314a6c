import type { Drift } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type HostDrift = {
  id: string;
  /** Number of changes that the host has not reported as applied. */
  behind: number;
  /** Differences between its kernel and its desired set. */
  drift: Drift[];
  /** Number of paid subscriptions that it was given and does not run, and of unpaid ones that it still has. */
  unserved: number;
  unpaid: number;
};

/**
 * Compares paid entitlements with what each active host reports, down to its kernel. All numbers return to 0 within seconds
 * after a change. Leaves out retired hosts.
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

/** Number of paid subscriptions that no host in service has. No {@link HostDrift} counts them. */
export async function servedNowhere(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from subscription
    where status in ('active', 'pastDue') and not exists (
      select from assignment join host on host.id = assignment.host_id
      where assignment.subscription_id = subscription.id and assignment.status <> 'leaving'
        and host.status <> 'retired')`.execute(db);
  return rows[0]!.count;
}

/** Names of the compared things for operators. */
const LABELS = {
  address: 'addresses of the network interface',
  device: 'tunnel devices and their routes',
  setting: 'sysctls and routing rules',
  firewall: 'firewall entries',
  rate: 'rate classes',
  client: 'admitted keys and revoked certificates',
  process: 'OpenVPN servers',
  session: 'sessions',
  relay: 'TCP ports',
  savedSet: 'desired set on the disk (check for a full or read-only disk)',
} as const;

/** Differences of a host for operators, one line each. Empty when it runs exactly what was paid for. */
const driftLines = ({ behind, unserved, unpaid, drift }: Omit<HostDrift, 'id'>): string[] => [
  ...(behind > 0 ? [`has not applied its last ${behind} changes`] : []),
  ...(unserved > 0 ? [`does not serve ${unserved} paid subscriptions`] : []),
  ...(unpaid > 0 ? [`still has ${unpaid} unpaid subscriptions`] : []),
  ...drift.map(({ what, more, missing }) => `${LABELS[what]}: ${more} too many, ${missing} missing`),
];

/** Differences of each active host, and paid subscriptions without a host, as lines for operators. */
export async function driftByHost(db: Db): Promise<{ where: string; lines: string[] }[]> {
  const hosts = await entitlementDrift(db);
  const nowhere = await servedNowhere(db);
  return [
    ...hosts.map(host => ({ where: host.id, lines: driftLines(host) })),
    ...(nowhere > 0 ? [{ where: 'on no host in service', lines: [`${nowhere} paid subscriptions`] }] : []),
  ];
}

/** Total of all differences of a host. */
export const driftSum = ({ behind, drift, unserved, unpaid }: Omit<HostDrift, 'id'>): number =>
  drift.reduce((sum, { more, missing }) => sum + more + missing, behind + unserved + unpaid);
