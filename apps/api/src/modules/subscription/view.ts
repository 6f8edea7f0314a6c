import { isHeard } from '@fixpoint/domain/host/host.ts';
import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { allowedActions, type SubscriptionStatus } from '@fixpoint/domain/subscription/subscription.ts';
import { sql } from 'kysely';
import { compiled } from '../../compiled.ts';
import { type Page, type Part, pageOf } from '../../paging.ts';
import type { Db } from '../../ports/database.ts';
import { openRenewalOf } from '../billing/index.ts';
import { paidChangeAt, stateOf } from './store.ts';

const query = (db: Db, { customerId, month }: { customerId: string; month: string }) =>
  db
    .selectFrom('subscription as s')
    .innerJoin('product as p', 'p.id', 's.product_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .innerJoin('provider', 'provider.id', 'p.provider_id')
    .innerJoin('region', 'region.id', 'p.region_id')
    .innerJoin('vendor', 'vendor.id', 'p.vendor_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 's.id')
    .leftJoin('assignment', join =>
      join.onRef('assignment.subscription_id', '=', 's.id').on('assignment.status', '!=', 'leaving'),
    )
    .leftJoin('host', 'host.id', 'assignment.host_id')
    .selectAll('s')
    .select(eb => [
      'p.plan_id',
      'p.region_id',
      'next.plan_id as next_plan_id',
      'provider.name as provider_name',
      'region.name as region_name',
      'region.country',
      'vendor.name as vendor_name',
      'host.seen_at',
      sql<string | null>`host(static_ip.address)`.as('address'),
      eb
        .selectFrom('vpn_key')
        .whereRef('vpn_key.subscription_id', '=', 's.id')
        .where('deleted_at', 'is', null)
        .select(sql<number>`count(*)::int`.as('n'))
        .as('key_count'),
      eb
        .selectFrom('key_usage')
        .innerJoin('vpn_key', 'vpn_key.id', 'key_usage.key_id')
        .whereRef('vpn_key.subscription_id', '=', 's.id')
        .where('key_usage.month', '=', month)
        .select(sql<number>`coalesce(sum(down_bytes + up_bytes), 0)::bigint`.as('n'))
        .as('usage_bytes'),
    ])
    .where('s.customer_id', '=', customerId);

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number];

type Values = Part & { customerId: string; month: string };
const listed = (db: Db, values: Values) =>
  query(db, values)
    .select(sql<number>`count(*) over ()::int`.as('all'))
    .orderBy('s.created_at', 'desc')
    .limit(values.size)
    .offset(values.skip);
const readAll = compiled(listed);
const readThose = compiled((db, values: Values & { status: SubscriptionStatus }) =>
  listed(db, values).where('s.status', '=', values.status),
);

const summary = (row: Row, now: Date) => ({
  id: row.id,
  status: row.status,
  planId: row.plan_id,
  cycleCount: row.cycle_count as 1 | 3 | 6 | 12,
  provider: row.provider_name,
  region: row.region_name,
  regionId: row.region_id,
  country: row.country,
  vendor: row.vendor_name,
  ...(row.address && { address: row.address }),
  devices: row.devices,
  keyCount: row.key_count ?? 0,
  dataTransferGb: row.data_transfer_gb,
  usageBytes: row.usage_bytes ?? 0,
  rateMbit: row.rate_mbit,
  ...(row.started_at && { startedAt: row.started_at.toISOString() }),
  ...(row.period_end && { periodEnd: row.period_end.toISOString() }),
  cancelAtPeriodEnd: row.cancel_at_period_end,
  suspended: row.suspended,
  renewal: withVat(row.currency, row.next_renewal ?? row.renewal, row.vat_rate_bp),
  ...(row.next_plan_id &&
    row.next_from && {
      planned: {
        planId: row.next_plan_id,
        from: row.next_from.toISOString(),
        final: paidChangeAt(row) !== undefined,
      },
    }),
  allowedActions: allowedActions(stateOf(row), now),
});

export async function subscriptionsView(
  db: Db,
  now: Date,
  customerId: string,
  { status, ...wanted }: Page & { status?: SubscriptionStatus },
) {
  const of = { customerId, month: bangkokMonth(now) };
  const read = (part: Part) =>
    status ? readThose(db, { ...of, status, ...part }) : readAll(db, { ...of, ...part });
  const { rows, total } = await pageOf(read, wanted);
  return { items: rows.map(row => summary(row, now)), total };
}

export async function subscriptionView(db: Db, now: Date, customerId: string, id: string) {
  const row = await query(db, { customerId, month: bangkokMonth(now) })
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const keys = await db
    .selectFrom('vpn_key')
    .select(eb => [
      'id',
      'name',
      'created_at',
      eb
        .selectFrom('certificate')
        .whereRef('certificate.key_id', '=', 'vpn_key.id')
        .where('revoked', '=', false)
        .select(sql<Date | null>`max(not_after)`.as('end'))
        .as('valid_until'),
    ])
    .where('subscription_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
  const open = await openRenewalOf(db, id);
  return {
    ...summary(row, now),
    ...(open && {
      openInvoice: {
        id: open.id,
        currency: open.currency,
        amount: open.total - open.credit_used - open.prepaid,
      },
    }),
    ref: row.order_id,
    keys: keys.map(key => ({
      id: key.id,
      name: key.name,
      createdAt: key.created_at.toISOString(),
      ...(key.valid_until && { validUntil: key.valid_until.toISOString() }),
    })),
    hostReachable: isHeard(row.seen_at, now),
  };
}
