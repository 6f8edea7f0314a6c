import type { Size, Step } from './size.ts';

/** PEM and sealed keys of realistic length that nothing opens. */
const LONG = { pem: "repeat('MIIBszCCAVmg', 50)", sealed: "decode(repeat('5ea1ed', 100), 'hex')" };

/** Addresses, identities, assignments, keys with certificates and their usage. */
export const tunnels = ({ addresses }: Size): Step[] => [
  {
    table: 'tunnel',
    sql: `create temp table tunnel as
      select *, row_number() over (partition by host order by n)::int as slot from sale where life in ('active', 'held')`,
  },
  {
    table: 'static_ip',
    sql: `insert into static_ip (address, pool_id, bind_address, subscription_id, customer_id, reserved_until)
      select address, pool.id, address, sub_id, customer_id, case life when 'held' then ends + interval '30 d' end
      from tunnel join address_pool pool on pool.host_id = 'host-' || host,
        lateral (select host(pool.prefix)::inet + slot as address) l`,
  },
  {
    // The other addresses of each range, except in full places; one in eight was given up recently and is in its cooldown.
    table: 'static_ip',
    sql: `insert into static_ip (address, pool_id, bind_address, cooldown_until)
      select address, pool.id, address, case when g.n % 8 = 0 then present() + interval '3 d' end
      from address_pool pool join place using (provider_id, region_id, vendor_id), generate_series(1, ${addresses}) g (n),
        lateral (select host(pool.prefix)::inet + g.n as address) l
      where place.n <= 20 on conflict do nothing`,
  },
  {
    table: 'subscription_identity',
    sql: `insert into subscription_identity (subscription_id, customer_id, server_name, ca, ca_key_sealed, tls_crypt_sealed)
      select sub_id, customer_id, 'server-' || n, ${LONG.pem}, ${LONG.sealed}, ${LONG.sealed} from sale where life <> 'expired'`,
  },
  {
    table: 'assignment',
    sql: `insert into assignment (id, subscription_id, customer_id, host_id, slot, status, address, server_certificate,
        server_key_sealed, server_not_after)
      select id('asg', n), sub_id, ip.customer_id, pool.host_id, slot, 'up', address, ${LONG.pem}, ${LONG.sealed}, starts + interval '430 d'
      from tunnel join static_ip ip on ip.subscription_id = sub_id join address_pool pool on pool.id = ip.pool_id
      where life = 'active'`,
  },
  {
    // Of four subscriptions that ever were active, one has two keys and one had a second key that was deleted.
    table: 'vpn_key',
    sql: `insert into vpn_key (id, subscription_id, customer_id, name, address, created_at, deleted_at,
        notify_at)
      select id('key' || k, n), sub_id, customer_id, (array['phone', 'laptop'])[k], k + 1, starts,
        case when k = 2 and n % 4 = 0 then starts + interval '1 d' end,
        case when life = 'active' and (k = 1 or n % 4 = 1) then ends end
      from sale, generate_series(1, 2) k where life <> 'waiting' and (k = 1 or n % 4 < 2)`,
  },
  {
    table: 'certificate',
    sql: `insert into certificate (serial, key_id, customer_id, not_after, revoked, profile_version)
      select n || '00' || k || c, id('key' || k, n), customer_id, ends + interval '30 d', c = 2 or (k = 2 and n % 4 = 0), 'x'
      from sale, generate_series(1, 2) k, generate_series(1, 2) c 
      where life <> 'waiting' and (k = 1 or n % 4 < 2) and (c = 1 or n % 3 = 0)`,
  },
  {
    table: 'key_rate',
    sql: `insert into key_rate (key_id, customer_id, rate_mbit) select id('key1', n), customer_id, 20 from sale
      where life = 'active' and n % 10 = 1`,
  },
  {
    table: 'key_usage',
    sql: `insert into key_usage (key_id, customer_id, month, down_bytes, up_bytes)
      select id('key' || k, n), customer_id, to_char(present() - make_interval(months => m), 'YYYY-MM'), 123456789 + n, 3456789 + n
      from sale, generate_series(1, 2) k, generate_series(0, 1) m
      where life = 'active' and (k = 1 or n % 4 = 1)`,
  },
  {
    table: 'key_usage_day',
    sql: `insert into key_usage_day (key_id, customer_id, day, epoch, down_bytes, up_bytes)
      select id('key1', n), customer_id, to_char(present() - make_interval(days => d), 'YYYY-MM-DD'), repeat('0', 32),
        12345678 + n, 345678 + n
      from sale, generate_series(0, 3) d where life = 'active'`,
  },
  {
    table: 'pending_change',
    sql: `insert into pending_change (host_id, subscription_id, customer_id) select 'host-' || host, sub_id, customer_id from tunnel
      where n % 200 = 0`,
  },
];
