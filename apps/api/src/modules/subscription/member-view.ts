import { isOnline } from '@fixpoint/domain/host/host.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { sql } from 'kysely';
import type { CustomerCaller } from '../../kernel/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { type FileVersion, shownDevices } from './shown-devices.ts';
import { STATE, stateOf } from './store.ts';
import { userOfDevice } from './users-of-devices.ts';

export type MemberViewDeps = { db: Db; clock: Clock } & FileVersion;

/** Subscriptions with the caller's part in them, on columns that a member may read. */
const withPart = (db: Db, { customerId, userId, role }: CustomerCaller) =>
  db
    .selectFrom('subscription')
    .innerJoin('product', 'product.id', 'subscription.product_id')
    .innerJoin('provider', 'provider.id', 'product.provider_id')
    .innerJoin('region', 'region.id', 'product.region_id')
    .innerJoin('vendor', 'vendor.id', 'product.vendor_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .leftJoin('device_allowance as allowance', join =>
      join.onRef('allowance.subscription_id', '=', 'subscription.id').on('allowance.user_id', '=', userId),
    )
    .leftJoin('assignment', join =>
      join
        .onRef('assignment.subscription_id', '=', 'subscription.id')
        .on('assignment.status', '!=', sql.lit('leaving')),
    )
    .leftJoin('host', 'host.id', 'assignment.host_id')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('vpn_key')
          .select(sql<number>`count(*)::int`.as('count'))
          .whereRef('vpn_key.subscription_id', '=', 'subscription.id')
          .where(userOfDevice, '=', userId)
          .where('deleted_at', 'is', null)
          .as('own'),
      join => join.onTrue(),
    )
    .select(STATE)
    .select([
      'subscription.id',
      'subscription.label',
      'subscription.devices as places',
      'allowance.devices as allowed',
      'own.count',
      'provider.name as provider',
      'region.name as region',
      'region.id as region_id',
      'region.country',
      'vendor.name as vendor',
      'assignment.status as assignment_status',
      'host.seen_at',
    ])
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .where('subscription.customer_id', '=', customerId)
    // Row-level security says so, too.
    .$if(role === 'member', qb =>
      qb.where(eb => eb.or([eb('allowance.devices', 'is not', null), eb('own.count', '>', 0)])),
    );

type Row = Awaited<ReturnType<ReturnType<typeof withPart>['execute']>>[number];

function shown(row: Row, { role }: CustomerCaller, now: Date) {
  const devices = role === 'member' ? (row.allowed ?? 0) : row.places;
  const keyCount = row.count ?? 0;
  return {
    id: row.id,
    ...(row.label && { label: row.label }),
    status: row.status === 'pastDue' ? ('active' as const) : row.status,
    suspended: row.suspended,
    provider: row.provider,
    region: row.region,
    regionId: row.region_id,
    country: row.country,
    vendor: row.vendor,
    ...(row.address && { address: row.address }),
    devices,
    keyCount,
    canAdd: keyCount < devices && can(stateOf(row), 'addKey', now).ok,
  };
}

export async function memberSubscriptions({ db, clock }: MemberViewDeps, caller: CustomerCaller) {
  const rows = await withPart(db, caller).orderBy('subscription.created_at', 'desc').execute();
  return { items: rows.map(row => shown(row, caller, clock.now())) };
}

/** One subscription as a member sees it. Undefined when they have no part in it. */
export async function memberSubscription(deps: MemberViewDeps, caller: CustomerCaller, id: string) {
  const now = deps.clock.now();
  const row = await withPart(deps.db, caller).where('subscription.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const own = { userId: caller.userId, onlyOwn: true };
  const { keys, ending } = await shownDevices(deps, own, id, row.assignment_status === 'desired');
  return { ...shown(row, caller, now), keys, ending, hostReachable: isOnline(row.seen_at, now) };
}
