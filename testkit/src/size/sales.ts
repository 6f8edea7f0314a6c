import { PLACES, type Size, type Step } from './size.ts';

/**
 * Orders and subscriptions. Of 100 subscriptions 70 are active, 24 expired long ago, five lapsed recently with their address
 * still reserved, and one waits for a host in a full place. In addition, one abandoned draft per two customers and one
 * unpaid order of a guest per ten.
 */
export const sales = (size: Size): Step[] => [
  {
    table: 'sale',
    sql: `create temp table sale as
      select g.n, id('ord', g.n) as order_id, id('inv', g.n) as invoice_id, id('att', g.n) as attempt_id,
        id('sub', g.n) as sub_id,
        id('cus', who) as customer_id, id('pay', who) as gateway_customer_id, 'buyer' || who || '@example.com' as email, life, cycle,
        product.id as product_id, plan.id as plan_id, plan.devices, plan.data_transfer_gb,
        plan.rate_mbit, jsonb_build_object('devices', plan.devices, 'dataTransferGb', plan.data_transfer_gb,
          'rateMbit', plan.rate_mbit, 'portForward', plan.port_forward) as entitlements,
        price.price, price.price - vat.vat as net, vat.vat, price.renewal,
        starts, starts + make_interval(months => cycle) as ends, starts - interval '2 min' as paid_at,
        place.n as place, g.n / 600 % ${size.hosts / PLACES} * ${PLACES} + place.n as host
      from generate_series(1, ${size.sales}) g (n)
        cross join lateral (select
          case when g.n <= ${size.customers} then g.n else g.n % ${size.customers / 100} * 20 + 1 end as who,
          case when g.n % 100 = 19 then 'waiting' when g.n % 20 = 18 then 'held' when g.n % 20 > 13 then 'expired' else 'active' end as life,
          (array[1, 3, 6, 12])[g.n / 7 % 4 + 1] as cycle) l
        join place on place.n = case when l.life = 'waiting' then 21 + g.n / 100 % 10 else g.n / 20 % ${PLACES} + 1 end
        join plan on plan.position = g.n / 3 % 3
        join plan_price price on price.plan_id = plan.id and price.currency = 'THB' and price.cycle_count = cycle
        join product on product.plan_id = plan.id and product.cycle_count = cycle
          and (product.provider_id, product.region_id, product.vendor_id) = (place.provider_id, place.region_id, place.vendor_id),
        lateral (select (2 * price.price * 700 + 10700) / (2 * 10700) as vat) vat,
        lateral (select case life
          when 'active' then ago(g.n, cycle * 27)
          when 'held' then ago(g.n, 27) - make_interval(months => cycle)
          when 'waiting' then ago(g.n, 9)
          else ago(g.n, 300) - interval '40 d' - make_interval(months => cycle) end as starts) s`,
  },
  { table: 'sale', sql: 'create unique index on sale (n); analyze sale' },
  {
    table: 'shop_order',
    sql: `insert into shop_order (id, token_hash, check_hash, status, version, category, product_id, entitlements, currency, price,
        net, vat, vat_rate_bp, renewal, first_year, customer_id, email, language, terms_version, payment_method, created_at,
        expires_at, paid_at, fulfilled_at)
      select order_id, hash(('token' || n)::bytea), hash(('check' || n)::bytea), 'fulfilled', 3, 'vpn', product_id,
        entitlements, 'THB', price, net, vat, 700, renewal, cycle = 12, customer_id, email, 'en', '1', 'card', paid_at - interval '5 min',
        paid_at + interval '1 d', paid_at, paid_at
      from sale`,
  },
  {
    table: 'shop_order',
    sql: `insert into shop_order (id, token_hash, check_hash, status, version, category, product_id, entitlements, currency, price,
        net, vat, vat_rate_bp, renewal, first_year, created_at, expires_at)
      select id('draft', n), hash(('draft' || n)::bytea), hash('check'), case when begun < present() - interval '1 d' then 'expired'
        else 'draft' end, 1, 'vpn', product_id, entitlements, 'THB', price, net, vat, 700, renewal, false, begun, begun + interval '1 d'
      from sale, lateral (select ago(n, 400) as begun) l where n <= ${size.customers / 2}`,
  },
  {
    // Guests' email addresses are erased after 30 days.
    table: 'shop_order',
    sql: `insert into shop_order (id, token_hash, check_hash, status, version, category, product_id, entitlements, currency, price,
        net, vat, vat_rate_bp, renewal, first_year, email, language, terms_version, payment_method, created_at, expires_at)
      select id('guest', n), hash(('guest' || n)::bytea), hash('check'),
        'expired', 3, 'vpn', product_id, entitlements, 'THB', price, net, vat, 700, renewal, false,
        case when begun > present() - interval '30 d' then 'guest' || n || '@example.com' end,
        'en', '1', 'card', begun, begun + interval '1 d'
      from sale, lateral (select ago(n, 400) - interval '2 d' as begun) l where n <= ${size.customers / 10}`,
  },
  {
    table: 'subscription',
    sql: `insert into subscription (id, customer_id, order_id, product_id, status, version, devices, data_transfer_gb,
        rate_mbit, currency, renewal, vat_rate_bp, cycle_count, created_at, started_at, anchor_at, period_start, period_end,
        due_at, reminders)
      select sub_id, customer_id, order_id, product_id,
        case life when 'waiting' then 'provisioning' when 'active' then 'active' else 'expired' end,
        case life when 'waiting' then 0 when 'active' then 1 else 2 end, devices, data_transfer_gb, rate_mbit, 'THB', renewal,
        700, cycle, paid_at, ran.starts, ran.starts, ran.starts, ran.ends,
        case when life = 'active' then ran.ends end, 2
      from sale left join lateral (select sale.starts, sale.ends where life <> 'waiting') ran on true`,
  },
  {
    table: 'subscription_history',
    sql: `insert into subscription_history (subscription_id, customer_id, version, at, command, from_status, to_status)
      select sub_id, customer_id, 1, starts, 'activate', 'provisioning', 'active' from sale where life <> 'waiting'
      union all
      select sub_id, customer_id, 2, ends, 'endPeriod', 'active', 'expired' from sale where life in ('held', 'expired')`,
  },
  {
    table: 'invoice',
    sql: `insert into invoice (id, customer_id, purpose, order_id, subscription_id, status, version, reference, series,
        serial, number, currency, net, vat, total, buyer, seller, language, created_at, issued_at, paid_at)
      select invoice_id, customer_id, 'purchase', order_id, sub_id, 'paid', 2, upper(substr(md5(invoice_id), 1, 12)), year, serial,
        year || '-' || lpad(serial::text, 6, '0'), 'THB', net, vat, price, jsonb_build_object('email', email), seller(), 'en',
        paid_at, paid_at, paid_at
      from (select *, to_char(paid_at at time zone 'Asia/Bangkok', 'YYYY') as year,
          row_number() over (partition by to_char(paid_at at time zone 'Asia/Bangkok', 'YYYY') order by paid_at, n)::int as serial
        from sale) numbered`,
  },
  {
    table: 'number_series',
    sql: 'insert into number_series (series, last) select series, max(serial) from invoice group by 1',
  },
  {
    table: 'invoice',
    sql: `insert into invoice (id, purpose, order_id, status, version, reference, currency, net, vat, total, buyer, seller,
        language, created_at)
      select id('ginv', n), 'purchase', id('guest', n), 'void', 1, upper(substr(md5(id('ginv', n)), 1, 12)), 'THB', net, vat, price, '{}', seller(),
        'en', paid_at
      from sale where n <= ${size.customers / 10}`,
  },
  {
    table: 'invoice_line',
    sql: `insert into invoice_line (invoice_id, customer_id, position, text, net, vat, vat_rate_bp, total)
      select id, owner, 1, jsonb_build_object('kind', 'period', 'plan', 'Solo', 'planId', plan_id, 'place', 'Bangkok',
        'cycleCount', cycle), net, vat, 700, price
      from sale, lateral (select invoice_id as id, customer_id as owner
        union all select id('ginv', n), null where n <= ${size.customers / 10}) of`,
  },
  {
    table: 'subscription_period',
    sql: `insert into subscription_period (subscription_id, customer_id, starts_at, ends_at, invoice_id, worth)
      select sub_id, customer_id, starts, ends, invoice_id, price from sale where life <> 'waiting'`,
  },
];
