import type { Size, Step } from './size.ts';

/** Accounts and their login methods. Of 20 accounts, one is disabled and one deleted. */
export const people = ({ customers }: Size): Step[] => [
  {
    table: 'customer',
    sql: `insert into customer (id, email, language, password_hash, status, created_at)
      select id('cus', n),
        case when n % 20 = 17 then id('cus', n) || '@deleted.invalid' else 'buyer' || n || '@example.com' end,
        (array['en', 'th', 'de', 'zh'])[n % 4 + 1],
        case when n % 20 <> 17 then '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('x', 64) end,
        case n % 20 when 17 then 'deleted' when 16 then 'disabled' else 'active' end, ago(n, 730)
      from generate_series(1, ${customers}) n`,
  },
  {
    // One session in ten has ended and stays for a while.
    table: 'session',
    sql: `insert into session (id, customer_id, access_hash, access_expires_at, refresh_hash, previous_refresh_hash,
        rotated_at, idle_expires_at, expires_at, ended_at, browser, system, created_at, confirmed_at)
      select id('ses', n), id('cus', n % ${customers} + 1), hash(('access' || n)::bytea), used + interval '15 min',
        hash(('refresh' || n)::bytea), hash(('before' || n)::bytea), used, used + interval '14 d',
        used + interval '80 d', case when n % 10 = 0 then used + interval '1 h' end,
        (array['Chrome', 'Firefox', 'Safari'])[n % 3 + 1], (array['Android', 'Windows', 'macOS'])[n % 3 + 1],
        used - interval '9 d', used - interval '9 d'
      from generate_series(1, ${customers * 1.3}) n, lateral (select ago(n, 20) as used) l
      where (n % ${customers} + 1) % 20 not in (16, 17)`,
  },
  {
    table: 'totp',
    sql: `insert into totp (customer_id, secret_sealed, confirmed_at, last_step)
      select id('cus', n), hash(n::text::bytea), ago(n, 300), 58000000
      from generate_series(1, ${customers}) n where n % 10 = 3`,
  },
  {
    table: 'recovery_code',
    sql: `insert into recovery_code (customer_id, code_hash)
      select id('cus', n), hash((n || '-' || code)::bytea)
      from generate_series(1, ${customers}) n, generate_series(1, 10) code where n % 10 = 3`,
  },
  {
    table: 'passkey',
    sql: `insert into passkey (id, customer_id, name, public_key, counter, transports, created_at, last_used_on)
      select id('pk', n), id('cus', n), 'Phone', hash(n::text::bytea), 5, '{internal}', ago(n, 300), '2026-01-02'
      from generate_series(1, ${customers}) n where n % 10 = 5`,
  },
  {
    table: 'challenge',
    sql: `insert into challenge (id, purpose, email, customer_id, sent_at, expires_at, used_at)
      select id('flow', n), 'resetPassword', 'buyer' || n || '@example.com', id('cus', n), sent,
        sent + interval '10 min', sent + interval '1 min'
      from generate_series(1, ${customers / 5}) n, lateral (select ago(n, 2) as sent) l`,
  },
  {
    table: 'link_token',
    sql: `insert into link_token (token_hash, customer_id, purpose, expires_at, used_at)
      select hash(('link' || n)::bytea), id('cus', n), 'setPassword', ago(n, 1) + interval '1 d', null
      from generate_series(1, ${customers / 10}) n`,
  },
  {
    table: 'idempotency_record',
    sql: `insert into idempotency_record (key, body, attempt, locked_until, answer_sealed, ends_at)
      select hash(('answer' || n)::bytea), hash(('body' || n)::bytea), 1, present(), repeat('x', 600)::bytea,
        present() + interval '1 d'
      from generate_series(1, ${customers / 10}) n`,
  },
  {
    table: 'limit_count',
    sql: `insert into limit_count (key, count, ends_at, next_at)
      select hash(('limit' || n)::bytea), 3, present() + interval '1 h', present()
      from generate_series(1, ${customers / 2}) n`,
  },
];
