import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { hardDeclineOf, isPaymentOnItsWay, lastPaidBy } from '../billing/index.ts';
import { hasSpentGrace } from './spent-grace.ts';

/** Columns that the page shows, or that decide what it shows. */
const SHOWN = [
  's.id',
  's.label',
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
  's.reminded_at',
  's.cancel_at_period_end',
  's.suspended',
  's.replaced_by',
  's.is_gift',
  's.tries',
  's.next_from',
  's.currency',
  's.coming_renewal',
  's.vat_rate_bp',
  's.announced_renewal',
  's.announced_renewal_from',
  's.announced_vat_rate_bp',
  's.announced_vat_from',
] as const;

/** Subscriptions of a customer with everything that lists and pages show of them. @param month as `2026-11`, of the usage */
export const shownSubscriptions = (
  db: Db,
  { customerId, month, now }: { customerId: string; month: string; now: Date },
) =>
  db
    .selectFrom('subscription as s')
    .innerJoin('product as p', 'p.id', 's.product_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .innerJoin('provider', 'provider.id', 'p.provider_id')
    .innerJoin('region', 'region.id', 'p.region_id')
    .innerJoin('vendor', 'vendor.id', 'p.vendor_id')
    // Each has one row at most. The limit keeps the planner from joining it with all subscriptions of the shop.
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
          .select(['host.seen_at', 'assignment.status'])
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
          .select(['id', 'currency', 'issued_at', 'total', 'credit_used', 'prepaid', 'carried_in'])
          .select(['reference', 'period_start', 'period_end'])
          .whereRef('subscription_id', '=', 's.id')
          .where('purpose', '=', sql.lit('renewal'))
          .where('status', '=', sql.lit('open'))
          .limit(1)
          .as('due'),
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
      'host.status as assignment_status',
      'due.id as due_id',
      'due.currency as due_currency',
      'due.issued_at as due_since',
      'due.reference as due_reference',
      'due.period_start as due_start',
      'due.period_end as due_end',
      // Asked of the few that are to be paid.
      sql<boolean>`due.id is not null and ${hasSpentGrace(eb.ref('s.customer_id'), now)}`.as('grace_spent'),
      sql<number | null>`due.total - due.credit_used - due.prepaid + due.carried_in`.as('due_amount'),
      eb
        .selectFrom('attempt')
        .whereRef('attempt.invoice_id', '=', 'due.id')
        .where('unattended', '=', true)
        .select(sql<boolean>`failure is not null`.as('refused'))
        .orderBy('attempt_no', 'desc')
        .limit(1)
        .as('charge_refused'),
      hardDeclineOf(db, eb.ref('due.id')).as('refused_asks_owner'),
      eb
        .selectFrom('attempt')
        .whereRef('attempt.invoice_id', '=', 'due.id')
        .where(isPaymentOnItsWay(now))
        .select(sql<boolean>`true`.as('one'))
        .limit(1)
        .as('money_in_flight'),
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
      // The newest file of each device, and of those the first to expire.
      sql<Date | null>`(
        select min(newest.until) from vpn_key cross join lateral (
          select max(not_after) as until from certificate
            where certificate.key_id = vpn_key.id and not certificate.revoked
        ) as newest
        where vpn_key.subscription_id = s.id and vpn_key.deleted_at is null
      )`.as('files_until'),
      // Must agree with the renewal itself (`collectionMethodOf` of payment).
      eb
        .selectFrom('saved_method')
        .whereRef('saved_method.customer_id', '=', 's.customer_id')
        .where('saved_method.is_default', '=', true)
        .select('saved_method.method')
        .as('saved_method'),
      lastPaidBy(db, eb.ref('s.id')).as('last_method'),
    ])
    .where('s.customer_id', '=', customerId);

export type ShownSubscription = Awaited<ReturnType<ReturnType<typeof shownSubscriptions>['execute']>>[number];
