import { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';
import { isOnline } from '@fixpoint/domain/host/host.ts';
import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { type CollectionMethod, collectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { nextTryAt, openAt, payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import {
  allowedActions,
  can,
  isOverdue,
  type Period,
  type SubscriptionStatus,
} from '@fixpoint/domain/subscription/subscription.ts';
import { canStepBack, type Returns, withdrawableUntil } from '@fixpoint/domain/subscription/withdrawal.ts';
import { sql } from 'kysely';
import { type Page, type Part, pageOf } from '../../database/paging.ts';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { canBeCharged, type Gateways } from '../../ports/payment-gateway.ts';
import { hardDeclineOf, isPaymentOnItsWay, lastPaidBy } from '../billing/index.ts';
import { serverOf } from '../provisioning/index.ts';
import { contractOf, hasWithdrawn } from './contract.ts';
import { historyOf } from './history.ts';
import { paidChangeAt, stateOf } from './store.ts';

/** What is shown of a subscription, and what decides that. */
const SHOWN = [
  's.id',
  's.customer_id',
  's.order_id',
  's.created_at',
  's.status',
  's.cycle_count',
  's.devices',
  's.data_transfer_gb',
  's.rate_mbit',
  's.port_forward',
  's.started_at',
  's.anchor_at',
  's.period_start',
  's.period_end',
  's.cancel_at_period_end',
  's.suspended',
  's.replaced_by',
  's.is_gift',
  's.tries',
  's.next_from',
  's.currency',
  's.coming_renewal',
  's.coming_vat_rate_bp',
  's.announced_renewal',
  's.announced_renewal_from',
  's.announced_vat_rate_bp',
  's.announced_vat_from',
] as const;

const query = (db: Db, { customerId, month, now }: { customerId: string; month: string; now: Date }) =>
  db
    .selectFrom('subscription as s')
    .innerJoin('product as p', 'p.id', 's.product_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .innerJoin('provider', 'provider.id', 'p.provider_id')
    .innerJoin('region', 'region.id', 'p.region_id')
    .innerJoin('vendor', 'vendor.id', 'p.vendor_id')
    // Each has one row at most. The limit keeps the server from joining it with all subscriptions of the shop.
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('static_ip')
          .select(['address', 'reserved_until'])
          .whereRef('subscription_id', '=', 's.id')
          .limit(1)
          .as('static_ip'),
      join => join.onTrue(),
    )
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('assignment')
          .innerJoin('host', 'host.id', 'assignment.host_id')
          .select('host.seen_at')
          .whereRef('assignment.subscription_id', '=', 's.id')
          .where('assignment.status', '!=', sql.lit('leaving'))
          .limit(1)
          .as('host'),
      join => join.onTrue(),
    )
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('invoice')
          .select(['id', 'currency', 'issued_at', 'total', 'credit_used', 'prepaid'])
          .whereRef('subscription_id', '=', 's.id')
          .where('purpose', '=', sql.lit('renewal'))
          .where('status', '=', sql.lit('open'))
          .limit(1)
          .as('owed'),
      join => join.onTrue(),
    )
    .select(SHOWN)
    .select(eb => [
      'p.plan_id',
      'p.region_id',
      'next.plan_id as next_plan_id',
      'provider.name as provider_name',
      'region.name as region_name',
      'region.country',
      'vendor.name as vendor_name',
      'host.seen_at',
      'owed.id as owed_id',
      'owed.currency as owed_currency',
      'owed.issued_at as due_since',
      sql<number | null>`owed.total - owed.credit_used - owed.prepaid`.as('owed_amount'),
      eb
        .selectFrom('attempt')
        .whereRef('attempt.invoice_id', '=', 'owed.id')
        .where('unattended', '=', true)
        .select(sql<boolean>`failure is not null`.as('refused'))
        .orderBy('attempt_no', 'desc')
        .limit(1)
        .as('charge_refused'),
      hardDeclineOf(db, eb.ref('owed.id')).as('refused_asks_owner'),
      eb
        .selectFrom('attempt')
        .whereRef('attempt.invoice_id', '=', 'owed.id')
        .where(isPaymentOnItsWay(now))
        .select(sql<boolean>`true`.as('one'))
        .limit(1)
        .as('money_on_its_way'),
      sql<string | null>`host(static_ip.address)`.as('address'),
      'static_ip.reserved_until',
      eb
        .selectFrom('subscription_history')
        .whereRef('subscription_id', '=', 's.id')
        .whereRef('to_status', '=', 's.status')
        .where('to_status', '=', 'expired')
        .where('from_status', '!=', 'expired')
        .select(sql<Date | null>`max(at)`.as('at'))
        .as('ended_at'),
      eb
        .selectFrom('vpn_key')
        .whereRef('vpn_key.subscription_id', '=', 's.id')
        .where('deleted_at', 'is', null)
        .select(sql<number>`count(*)::int`.as('n'))
        .as('key_count'),
      eb
        .selectFrom('vpn_key')
        .innerJoinLateral(
          one =>
            one
              .selectFrom('key_usage')
              .select(['down_bytes', 'up_bytes'])
              .whereRef('key_usage.key_id', '=', 'vpn_key.id')
              .where('key_usage.month', '=', month)
              .limit(1)
              .as('usage'),
          join => join.onTrue(),
        )
        .whereRef('vpn_key.subscription_id', '=', 's.id')
        .select(sql<number>`coalesce(sum(down_bytes + up_bytes), 0)::bigint`.as('n'))
        .as('usage_bytes'),
      // Of each device its newest file, of all devices the first that ends.
      sql<Date | null>`(
        select min(newest.until) from vpn_key cross join lateral (
          select max(not_after) as until from certificate
            where certificate.key_id = vpn_key.id and not certificate.revoked
        ) as newest
        where vpn_key.subscription_id = s.id and vpn_key.deleted_at is null
      )`.as('files_until'),
      // As where it renews (`collectionMethodOf` of payment).
      eb
        .selectFrom('saved_method')
        .whereRef('saved_method.customer_id', '=', 's.customer_id')
        .where('saved_method.is_default', '=', true)
        .select('saved_method.method')
        .as('saved_method'),
      lastPaidBy(db, eb.ref('s.id')).as('last_method'),
    ])
    .where('s.customer_id', '=', customerId);

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number];

type Values = Part & { customerId: string; month: string; now: Date };
type Sort = 'newest' | 'oldest' | 'soonest';
const paged = (db: Db, values: Values) =>
  query(db, values)
    .select(sql<number>`count(*) over ()::int`.as('all'))
    .limit(values.size)
    .offset(values.skip);
const readNewest = prepareQuery((db, values: Values) => paged(db, values).orderBy('s.created_at', 'desc'));

/** A list that somebody has asked for in his own way; the id last, so that pages never overlap. */
const chosen = (db: Db, values: Values, status: SubscriptionStatus | undefined, sort: Sort) =>
  paged(db, values)
    .$if(status !== undefined, qb => qb.where('s.status', '=', status!))
    .$if(sort === 'soonest', qb =>
      qb
        .orderBy(eb => eb('s.status', '=', 'expired'))
        .orderBy('s.period_end', order => order.asc().nullsFirst()),
    )
    .orderBy('s.created_at', sort === 'oldest' ? 'asc' : 'desc')
    .orderBy('s.id');

export type ViewDeps = {
  db: Db;
  clock: Clock;
  gateways: Gateways;
  /** By country: whose law lets a buyer withdraw, and what it gives back. */
  withdrawal: Readonly<Record<string, Returns>>;
  /** What files that are made now are called by what they say. */
  fileVersion(
    server: NonNullable<Awaited<ReturnType<typeof serverOf>>>,
    device: (typeof deviceKinds)[number] | null,
  ): string;
};

/** When the next period is billed, which is not the day on which it begins. */
function billing(
  { status, period_start, period_end, cancel_at_period_end, suspended }: Row,
  method: CollectionMethod,
  now: Date,
) {
  if (status !== 'active' || cancel_at_period_end || suspended) return undefined;
  const at = openAt({ start: period_start!, end: period_end! }, method === 'sendInvoice');
  return at > now ? { billedAt: at.toISOString() } : undefined;
}

/** The renewal that waits for its money, and what we do about that. */
function openInvoice(row: Row, method: CollectionMethod) {
  if (!row.owed_id) return undefined;
  const period = { start: row.period_start!, end: row.period_end! };
  return {
    id: row.owed_id,
    currency: row.owed_currency!,
    amount: row.owed_amount!,
    until: payableUntil(row.due_since!, period).toISOString(),
    onItsWay: Boolean(row.money_on_its_way),
    ...(row.charge_refused && method === 'chargeAutomatically' && afterRefusal(row, period)),
  };
}

function afterRefusal(row: Row, period: Period) {
  const needsAuthentication = row.refused_asks_owner;
  if (needsAuthentication !== null)
    return { stopped: needsAuthentication ? ('confirm' as const) : ('refused' as const) };
  const next = nextTryAt(row.due_since!, period, row.tries);
  return next && { nextTryAt: next.toISOString() };
}

const summary = ({ gateways }: ViewDeps, row: Row, now: Date) => {
  const paying = { saved: row.saved_method, last: row.last_method, isGift: row.is_gift };
  const method = collectionMethod(paying, canBeCharged(gateways));
  const owed = openInvoice(row, method);
  return {
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
    ...(row.reserved_until && { addressHeldUntil: row.reserved_until.toISOString() }),
    devices: row.devices,
    keyCount: row.key_count ?? 0,
    dataTransferGb: row.data_transfer_gb,
    usageBytes: row.usage_bytes ?? 0,
    rateMbit: row.rate_mbit,
    ...(row.started_at && { startedAt: row.started_at.toISOString() }),
    ...(row.period_end && { periodEnd: row.period_end.toISOString() }),
    ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
    overdue: isOverdue(stateOf(row), now),
    ...billing(row, method, now),
    ...(owed && { openInvoice: owed }),
    ...(row.files_until && { filesUntil: row.files_until.toISOString() }),
    byHand: method === 'sendInvoice',
    isGift: row.is_gift,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    ...(row.replaced_by && { replacedBy: row.replaced_by }),
    suspended: row.suspended,
    renewal: withVat(row.currency, row.coming_renewal, row.coming_vat_rate_bp),
    ...(row.next_plan_id &&
      row.next_from && {
        planned: {
          planId: row.next_plan_id,
          from: row.next_from.toISOString(),
          final: paidChangeAt(row) !== undefined,
        },
      }),
    ...(row.announced_renewal_from && {
      announcedPrice: { price: row.announced_renewal!, from: row.announced_renewal_from.toISOString() },
    }),
    ...(row.announced_vat_from && {
      announcedVat: { rateBp: row.announced_vat_rate_bp!, from: row.announced_vat_from.toISOString() },
    }),
    allowedActions: allowedActions(stateOf(row), now),
  };
};

export async function subscriptionsView(
  deps: ViewDeps,
  customerId: string,
  { status, sort, ...wanted }: Page & { status?: SubscriptionStatus | undefined; sort: Sort },
) {
  const { db, clock } = deps;
  const now = clock.now();
  const of = { customerId, month: bangkokMonth(now), now };
  const read = (part: Part) =>
    status === undefined && sort === 'newest'
      ? readNewest(db, { ...of, ...part })
      : chosen(db, { ...of, ...part }, status, sort).execute();
  const { rows, total } = await pageOf(read, wanted);
  return { items: rows.map(row => summary(deps, row, now)), total };
}

export async function subscriptionView(deps: ViewDeps, customerId: string, id: string) {
  const { db, clock } = deps;
  const now = clock.now();
  const row = await query(db, { customerId, month: bangkokMonth(now), now })
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const server = await serverOf(db, id);
  const newest = new Map(
    server && [...deviceKinds, null].map(device => [device, deps.fileVersion(server, device)]),
  );
  const keys = await db
    .selectFrom('vpn_key')
    .select(eb => [
      'id',
      'name',
      'label',
      'device',
      'created_at',
      'forwarded_port',
      eb
        .selectFrom('certificate')
        .whereRef('certificate.key_id', '=', 'vpn_key.id')
        .where('revoked', '=', false)
        .select(sql<Date | null>`max(not_after)`.as('end'))
        .as('valid_until'),
      eb
        .selectFrom('certificate')
        .whereRef('certificate.key_id', '=', 'vpn_key.id')
        .where('revoked', '=', false)
        .orderBy('not_after', 'desc')
        // Of two that were made in one moment.
        .orderBy(of => of('profile_version', '=', sql<string>`any(${[...newest.values()]})`), 'desc')
        .limit(1)
        .select('profile_version')
        .as('profile_version'),
    ])
    .where('subscription_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
  const forwarded = keys.find(key => key.forwarded_port !== null);
  const history = await historyOf(db, row);
  const withdrawal = await withdrawalOf(deps, row, now);
  const paid = await lastPaid(db, row);
  return {
    ...summary(deps, row, now),
    ref: row.order_id,
    keys: keys.map(key => ({
      id: key.id,
      name: key.name,
      ...(key.label && { label: key.label }),
      ...(key.device && { device: key.device as (typeof deviceKinds)[number] }),
      createdAt: key.created_at.toISOString(),
      ...(key.valid_until && { validUntil: key.valid_until.toISOString() }),
      outdated: newest.size > 0 && ![null, newest.get(key.device)].includes(key.profile_version),
    })),
    ...(forwarded && { forward: { port: forwarded.forwarded_port!, keyId: forwarded.id } }),
    hostReachable: isOnline(row.seen_at, now),
    ...(withdrawal && { withdrawal }),
    orderedAt: row.created_at.toISOString(),
    ...(paid && { paid }),
    history,
  };
}

/** The last period that was paid for. What was withdrawn from before it began had one for a moment. */
async function lastPaid(db: Db, { id, currency }: Row) {
  const period = await db
    .selectFrom('subscription_period')
    .select(['starts_at', 'ends_at', 'worth'])
    .where('subscription_id', '=', id)
    .where(sql<boolean>`ends_at - starts_at > interval '1 second'`)
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!period) return undefined;
  const { starts_at, ends_at, worth } = period;
  return { currency, amount: worth, from: starts_at.toISOString(), until: ends_at.toISOString() };
}

/**
 * Until when its customer can withdraw from the contract, and by the law of which countries; undefined: by none any more.
 * Who waits for it can for as long as he waits, and is not asked where he lives.
 */
async function withdrawalOf({ db, withdrawal }: ViewDeps, row: Row, now: Date) {
  const { id, customer_id: customerId, status } = row;
  const countries = Object.keys(withdrawal);
  if (countries.length === 0 && status !== 'provisioning') return undefined;
  if (!can(stateOf(row), 'withdraw', now).ok) return undefined;
  const contract = await contractOf(db, id);
  if (!contract) return undefined;
  if (canStepBack({ status, ...contract }, now)) return { countries: [], again: false };
  const until = withdrawableUntil(contract.concludedAt);
  if (countries.length === 0 || now >= until) return undefined;
  const again = Object.values(withdrawal).includes('full') && (await hasWithdrawn(db, customerId));
  return { until: until.toISOString(), countries, again };
}
