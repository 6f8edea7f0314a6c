import { subscriptionTransitions } from '@fixpoint/domain/subscription/subscription.ts';
import type { Invariant } from './invariant.ts';

const LEGAL_TRANSITIONS = Object.entries(subscriptionTransitions)
  .flatMap(([from, to]) => to.map(next => `('${from}', '${next}')`))
  .join(', ');

/** Invariants of paid and delivered service: orders, subscriptions, addresses, keys, jobs. */
export const serviceInvariants: readonly Invariant[] = [
  {
    name: 'X21 paid service',
    sentence: 'Every period of service was paid by an invoice of its own subscription.',
    sql: `
      select period.subscription_id, starts_at, invoice.id as invoice_id, invoice.status
      from subscription_period period join invoice on invoice.id = period.invoice_id
      where invoice.status <> 'paid' or invoice.subscription_id is distinct from period.subscription_id`,
  },
  {
    name: 'X21 overlap',
    sentence: 'The periods of a subscription never overlap.',
    sql: `
      select a.subscription_id, a.starts_at, b.starts_at as other from subscription_period a
      join subscription_period b on b.subscription_id = a.subscription_id
        and b.starts_at > a.starts_at and b.starts_at < a.ends_at`,
  },
  {
    name: 'X21 given',
    sentence: 'Every paid invoice of a started subscription has its period once its order is delivered.',
    sql: `
      select invoice.id, invoice.subscription_id from invoice
      join subscription on subscription.id = invoice.subscription_id
      left join shop_order on shop_order.id = invoice.order_id
      where invoice.status = 'paid' and purpose <> 'upgrade' and started_at is not null
        and coalesce(shop_order.status, 'fulfilled') = 'fulfilled'
        and subscription.status <> 'provisioning'
        and not exists (select from subscription_period period where period.invoice_id = invoice.id)`,
  },
  {
    name: 'I2 active',
    sentence: 'A served subscription is in one of its periods.',
    sql: `
      select id, status, period_start, period_end from subscription
      where status in ('active', 'pastDue') and not exists (
        select from subscription_period period where period.subscription_id = subscription.id
          and (starts_at, ends_at) = (period_start, period_end))`,
  },
  {
    name: 'I2 replaced',
    sentence: 'A replaced subscription has ended when its replacement runs.',
    sql: `
      select old.id, old.status, old.replaced_by, taker.status as taker_status from subscription old
      join subscription taker on taker.id = old.replaced_by
      where old.status <> 'expired' and taker.status <> 'provisioning'`,
  },
  {
    name: 'I3 delivered',
    sentence: 'Every fulfilled order has a subscription, and every subscription a fulfilled order.',
    sql: `
      select shop_order.id as order_id, shop_order.status, subscription.id as subscription_id
      from shop_order full join subscription on subscription.order_id = shop_order.id
      where shop_order.subscription_id is null
        -- A replacement that was paid too late became credit and has no subscription.
        and not (shop_order.replacement is not null and shop_order.status = 'refunded' and subscription.id is null)
        and (shop_order.status in ('fulfilled', 'refunded')) is distinct from (subscription.id is not null)`,
  },
  {
    name: 'I5 settled',
    sentence: 'A paid order is delivered, and an expired order ends, within ten minutes.',
    sql: `
      select id, status, paid_at, expires_at from shop_order
      where (status = 'paid' and paid_at < $1::timestamptz - interval '10 minutes'
          or status in ('draft', 'awaitingPayment', 'failed') and expires_at < $1::timestamptz - interval '10 minutes')
        and not exists (select from open_alert where kind = 'job.dead' and what ->> 'orderId' = shop_order.id)`,
  },
  {
    name: 'I6 keys',
    sentence:
      'A subscription has at most as many keys as its plan allows, and no deleted key has a valid certificate.',
    sql: `
      select id, devices, taken, null as serial from subscription join (
        select subscription_id, count(*) as taken from vpn_key where deleted_at is null group by subscription_id
      ) keys on subscription_id = id
      where taken > devices
      union all
      select subscription_id, null, null, serial from certificate join vpn_key on vpn_key.id = key_id
      where deleted_at is not null and not revoked`,
  },
  {
    name: 'I6 ports',
    sentence: 'A port is forwarded only where the plan includes it.',
    sql: `
      select vpn_key.id, forwarded_port from vpn_key join subscription on subscription.id = subscription_id
      where forwarded_port is not null and deleted_at is null and not port_forward`,
  },
  {
    name: 'I9 sessions',
    sentence: 'No ended account has an active session.',
    sql: `
      select session.id, customer.status from session join customer on customer.id = session.customer_id
      where customer.status <> 'active' and ended_at is null and session.expires_at > $1::timestamptz`,
  },
  {
    name: 'I11 history',
    sentence: 'The history of a subscription is a chain of allowed transitions that ends in its state.',
    sql: `
      select id, version, from_status, to_status, status from (
        select subscription.id, subscription.status, move.version, from_status, to_status,
          coalesce(lag(to_status) over life, 'provisioning') as before,
          lead(to_status) over life is null as newest
        from subscription left join subscription_history move on move.subscription_id = subscription.id
        window life as (partition by subscription.id order by move.version)
      ) step
      where from_status <> before
        or from_status <> to_status and (from_status, to_status) not in (${LEGAL_TRANSITIONS})
        or newest and coalesce(to_status, 'provisioning') <> status`,
  },
  {
    name: 'I12 address',
    sentence: 'A served subscription has a static IP, and no two are bound to the same one.',
    sql: `
      select subscription.id, host(ip.address) as address, null as other from subscription
      left join static_ip ip on ip.subscription_id = subscription.id
      where subscription.status in ('active', 'pastDue') and ip.address is null
      union all
      select ip.subscription_id, host(ip.bind_address), other.subscription_id from static_ip ip
      join address_pool pool on pool.id = ip.pool_id
      join static_ip other on other.bind_address = ip.bind_address and other.address > ip.address
      join address_pool other_pool on other_pool.id = other.pool_id and other_pool.host_id = pool.host_id
      where ip.subscription_id is not null and other.subscription_id is not null`,
  },
  {
    name: 'X23 notices',
    sentence: 'Every webhook event is processed within ten minutes.',
    sql: `
      select provider, event_id, type, received_at from provider_event
      where processed_at is null and received_at < $1::timestamptz - interval '10 minutes'`,
  },
  {
    name: 'I8 dead jobs',
    sentence: 'Every job that was given up raised an alert.',
    // The queue uses the database clock, not the shop clock.
    sql: `
      select id, data, created_on from pgboss.job
      where name = 'dead' and state <> 'completed' and created_on < now() - interval '10 minutes'`,
  },
];
