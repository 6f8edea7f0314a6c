import { PLACES, type Size, type Step } from './size.ts';

/**
 * Places with hosts and pools, in addition to the demo catalogue. Places 21 to 30 are full: their buyers wait. Host n
 * stands in place (n - 1) % 30 + 1 and has the addresses 10.x.y.0/23.
 */
export const places = ({ hosts }: Size): Step[] => [
  {
    table: 'region',
    sql: `insert into region (id, name, country, latitude, longitude)
      select 'size-' || lpad(n::text, 2, '0'), 'Region ' || n, 'DE', n, n from generate_series(4, ${PLACES}) n`,
  },
  {
    table: 'offer',
    sql: `insert into offer (provider_id, region_id, vendor_id, waiting_list)
      select 'hetzner', 'size-' || lpad(n::text, 2, '0'), 'fixpoint', n > 20 from generate_series(4, ${PLACES}) n`,
  },
  {
    table: 'product',
    sql: `insert into product (id, plan_id, cycle_count, provider_id, region_id, vendor_id)
      select plan.id || '-' || cycle || 'm-' || provider_id || '-' || region_id || '-' || vendor_id,
        plan.id, cycle, provider_id, region_id, vendor_id
      from plan, unnest(array[1, 3, 6, 12]) cycle, offer where region_id like 'size-%'`,
  },
  {
    table: 'place',
    sql: `create temp table place as
      select row_number() over (order by region_id like 'size-%', region_id)::int as n, provider_id, region_id, vendor_id
      from offer`,
  },
  { table: 'place', sql: 'analyze place, plan, plan_price, product, offer' },
  {
    table: 'host',
    sql: `insert into host (id, provider_id, region_id, vendor_id, status, dns, certificate_hash, revision,
        applied_revision, seen_at)
      select 'host-' || g.n, provider_id, region_id, vendor_id, 'active', '{9.9.9.9}', hash(('host' || g.n)::bytea),
        1000, 1000, present() - interval '20 s'
      from generate_series(1, ${hosts}) g (n) join place on place.n = (g.n - 1) % ${PLACES} + 1`,
  },
  {
    table: 'address_pool',
    sql: `insert into address_pool (id, prefix, provider_id, region_id, vendor_id, host_id)
      select range, range::cidr, provider_id, region_id, vendor_id, 'host-' || g.n
      from generate_series(1, ${hosts}) g (n) join place on place.n = (g.n - 1) % ${PLACES} + 1,
        lateral (select set_masklen('10.0.0.0'::inet + g.n * 512, 23)::text as range) r`,
  },
];
