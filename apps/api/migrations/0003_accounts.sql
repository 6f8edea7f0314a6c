-- Second factors, confirmed sessions, limits.

-- Where a session is used (product names, no version, no address), and when its owner last proved who he is.
alter table session
  add column browser text,
  add column system text,
  add column created_at timestamptz,
  add column confirmed_at timestamptz;
update session set created_at = expires_at - interval '30 days', confirmed_at = expires_at - interval '30 days';
alter table session alter column created_at set not null, alter column confirmed_at set not null;
drop index session_customer;
create index session_customer on session (customer_id);

-- Authenticator app. The secret is sealed by the master key; nothing is asked for before it is confirmed.
create table totp (
  customer_id text primary key references customer,
  secret_sealed bytea not null,
  confirmed_at timestamptz,
  -- The newest step that was used: a code is good once.
  last_step bigint not null default 0
);

create table recovery_code (
  customer_id text not null references customer,
  -- HMAC under a key from outside the database.
  code_hash bytea not null,
  primary key (customer_id, code_hash)
);

create table passkey (
  -- Credential id as the authenticator named it, base64url.
  id text primary key,
  customer_id text not null references customer,
  name text not null check (length(name) between 1 and 60),
  public_key bytea not null,
  -- Grows with each use where the authenticator counts; one that goes back was copied.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  -- Day in Bangkok.
  last_used_on date
);
create index passkey_customer on passkey (customer_id);

-- One dance of a browser with a passkey: the challenge that it has to sign, good once.
create table ceremony (
  id text primary key,
  purpose text not null check (purpose in ('add', 'login', 'stepUp')),
  -- Null: a visitor logs in; the passkey says who he is.
  customer_id text references customer,
  challenge text not null,
  expires_at timestamptz not null,
  check ((purpose = 'login') = (customer_id is null))
);

-- Counters of the limits, shared by all nodes. Keys are hashes under a key that changes daily where they stand for an
-- address. Not logged: after a crash everybody begins anew, which hurts nobody.
create unlogged table limit_count (
  key bytea primary key,
  count int not null,
  ends_at timestamptz not null,
  -- The next try is taken from here on.
  next_at timestamptz not null
);
create index limit_count_end on limit_count (ends_at);
