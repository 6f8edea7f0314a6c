import type { Language } from '@fixpoint/contract/languages.ts';
import { isOnline } from '@fixpoint/domain/host/host.ts';
import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { type CollectionMethod, collectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { chargeAt, nextTryAt, openAt, payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import {
  allowedActions,
  isOverdue,
  type Period,
  type SubscriptionStatus,
} from '@fixpoint/domain/subscription/subscription.ts';
import { sql } from 'kysely';
import { contains, type Page, type Part, pageOf } from '../../database/paging.ts';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Actor } from '../../kernel/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { canBeCharged, type Gateways } from '../../ports/payment-gateway.ts';
import { regionsNamed } from '../text/index.ts';
import { historyOf } from './history.ts';
import { type FileVersion, shownDevices } from './shown-devices.ts';
import { type ShownSubscription, shownSubscriptions } from './shown-subscriptions.ts';
import { paidChangeAt, stateOf } from './store.ts';
import { type WithdrawalDeps, withdrawalView } from './withdrawal-view.ts';

type Values = Part & { customerId: string; month: string; now: Date };
type Sort = 'newest' | 'oldest' | 'soonest' | 'name';
type Search = { text: string; regionIds: readonly string[] };
type Wanted = { status: SubscriptionStatus | undefined; sort: Sort; search: Search | undefined };
/** Number of the customer's subscriptions, which no filter changes. */
const owned = (db: Db, customerId: string) =>
  db
    .selectFrom('subscription')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('customer_id', '=', customerId)
    .as('owned');

/** Number of the users who work for the customer. */
const people = (db: Db, customerId: string) =>
  db
    .selectFrom('membership')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('customer_id', '=', customerId)
    .as('people');

const paged = (db: Db, values: Values) =>
  shownSubscriptions(db, values)
    .select(sql<number>`count(*) over ()::int`.as('all'))
    .select(owned(db, values.customerId))
    .limit(values.size)
    .offset(values.skip);
const readNewest = prepareQuery((db, values: Values) => paged(db, values).orderBy('s.created_at', 'desc'));

/** Whether a label, an address or a place matches. */
const isFound = ({ text, regionIds }: Search) =>
  sql<boolean>`(${contains(sql`s.label`, text)} or ${contains(sql`host(static_ip.address)`, text)}
    or ${contains(sql`region.name`, text)} or region.id = any(${regionIds}))`;

/** A filtered or sorted list. It is sorted by ID last, so that pages never overlap. */
const chosen = (db: Db, values: Values, { status, sort, search }: Wanted) =>
  paged(db, values)
    .$if(status !== undefined, qb => qb.where('s.status', '=', status!))
    .$if(search !== undefined, qb => qb.where(isFound(search!)))
    .$if(sort === 'name', qb =>
      qb
        .orderBy(sql`lower(s.label)`, order => order.asc().nullsLast())
        .orderBy('static_ip.address', order => order.asc().nullsLast()),
    )
    .$if(sort === 'soonest', qb =>
      qb
        .orderBy(eb => eb('s.status', '=', 'expired'))
        .orderBy('s.period_end', order => order.asc().nullsFirst()),
    )
    .orderBy('s.created_at', sort === 'oldest' ? 'asc' : 'desc')
    .orderBy('s.id');

export type ViewDeps = WithdrawalDeps & FileVersion & { clock: Clock; gateways: Gateways };

/** The time at which the next period will be invoiced, before it begins. */
function billing(
  {
    status,
    due_id,
    period_start,
    period_end,
    reminded_at,
    cancel_at_period_end,
    suspended,
  }: ShownSubscription,
  method: CollectionMethod,
  now: Date,
) {
  const renews = status === 'active' || (status === 'pastDue' && !due_id);
  if (!renews || cancel_at_period_end || suspended) return undefined;
  const at = openAt({ start: period_start!, end: period_end! }, method === 'sendInvoice', reminded_at);
  return at > now ? { billedAt: at.toISOString() } : undefined;
}

/** The rate of VAT on the day on which the next period is charged, as its customer was told. */
function comingVatRate(
  { period_start: start, period_end: end, ...row }: ShownSubscription,
  now: Date,
): number {
  const { announced_vat_from: from, announced_vat_rate_bp: announced, vat_rate_bp: present } = row;
  if (!from || !start || !end) return present;
  const charge = chargeAt({ start, end });
  return (charge > now ? charge : now) >= from ? announced! : present;
}

/** The open renewal invoice, its due date, and when it is charged again. */
function openInvoice(row: ShownSubscription, method: CollectionMethod) {
  if (!row.due_id) return undefined;
  const period = { start: row.period_start!, end: row.period_end! };
  return {
    id: row.due_id,
    currency: row.due_currency!,
    amount: row.due_amount!,
    reference: row.due_reference!,
    period: { start: row.due_start!.toISOString(), end: row.due_end!.toISOString() },
    ...(row.last_method && { lastMethod: row.last_method }),
    until: payableUntil(row.due_since!, period, !row.grace_spent).toISOString(),
    onItsWay: Boolean(row.money_in_flight),
    ...(row.charge_refused && method === 'chargeAutomatically' && afterRefusal(row, period)),
  };
}

function afterRefusal(row: ShownSubscription, period: Period) {
  const needsAuthentication = row.refused_asks_owner;
  if (needsAuthentication !== null)
    return { stopped: needsAuthentication ? ('confirm' as const) : ('refused' as const) };
  if (row.grace_spent) return undefined;
  const next = nextTryAt(row.due_since!, period, row.tries);
  return next && { nextTryAt: next.toISOString() };
}

const summary = ({ gateways }: ViewDeps, row: ShownSubscription, now: Date) => {
  const paying = { saved: row.saved_method, last: row.last_method, isGift: row.is_gift };
  const method = collectionMethod(paying, canBeCharged(gateways));
  const due = openInvoice(row, method);
  return {
    id: row.id,
    ...(row.label && { label: row.label }),
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
    ...(due && { openInvoice: due }),
    ...(row.files_until && { filesUntil: row.files_until.toISOString() }),
    byHand: method === 'sendInvoice',
    isGift: row.is_gift,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    ...(row.replaced_by && { replacedBy: row.replaced_by }),
    suspended: row.suspended,
    renewal: withVat(row.currency, row.coming_renewal, comingVatRate(row, now)),
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
  language: Language,
  {
    status,
    sort,
    search: text,
    ...wanted
  }: Page & { status?: SubscriptionStatus | undefined; sort: Sort; search?: string | undefined },
) {
  const { db, clock } = deps;
  const now = clock.now();
  const of = { customerId, month: bangkokMonth(now), now };
  const search = text ? { text, regionIds: await regionsNamed(db, language, text) } : undefined;
  const filtered = status !== undefined || search !== undefined;
  const read = (part: Part) =>
    !filtered && sort === 'newest'
      ? readNewest(db, { ...of, ...part })
      : chosen(db, { ...of, ...part }, { status, sort, search }).execute();
  const { rows, total } = await pageOf(read, wanted);
  const owns = rows[0]?.owned ?? (filtered ? await countOwned(db, customerId) : total);
  return { items: rows.map(row => summary(deps, row, now)), total, owned: owns };
}

async function countOwned(db: Db, customerId: string): Promise<number> {
  const { n } = await db
    .selectFrom('subscription')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return n;
}

export async function subscriptionView(deps: ViewDeps, { customerId, userId }: Actor, id: string) {
  const { db, clock } = deps;
  const now = clock.now();
  const row = await shownSubscriptions(db, { customerId, month: bangkokMonth(now), now })
    .where('s.id', '=', id)
    .select(people(db, customerId))
    .executeTakeFirst();
  if (!row) return undefined;
  const devices = await shownDevices(
    deps,
    { userId, onlyOwn: false },
    id,
    row.assignment_status === 'desired',
  );
  const history = await historyOf(db, row);
  const withdrawal = await withdrawalView(deps, row, now);
  const paid = await lastPaid(db, row);
  return {
    ...summary(deps, row, now),
    ref: row.order_id,
    ...devices,
    hostReachable: isOnline(row.seen_at, now),
    ...(withdrawal && { withdrawal }),
    orderedAt: row.created_at.toISOString(),
    ...(paid && { paid }),
    history,
    people: row.people ?? 0,
  };
}

/** The last period that was paid for, without those of a millisecond that a withdrawal leaves. */
async function lastPaid(db: Db, { id, currency }: ShownSubscription) {
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
