-- The shop from the catalogue to a running tunnel. Money: integer hundredths of the currency. Instants: timestamptz.
-- Forward only; every later change is a further file.

-- catalog ---------------------------------------------------------------------------------------------------------
create table plan (
  id text primary key,
  category text not null,
  position int not null,
  devices int not null check (devices between 1 and 31),
  data_transfer_gb int not null check (data_transfer_gb > 0),
  rate_mbit int not null check (rate_mbit > 0),
  active boolean not null default true
);

create table plan_price (
  plan_id text not null references plan,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  cycle_count int not null check (cycle_count in (1, 3, 6, 12)),
  price bigint not null check (price > 0),
  renewal bigint not null check (renewal > 0),
  primary key (plan_id, currency, cycle_count),
  -- Shown with two decimals, but these have no minor unit at the provider.
  check (currency not in ('JPY', 'KRW', 'VND') or (price % 100 = 0 and renewal % 100 = 0))
);

create table provider (id text primary key, name text not null);
create table vendor (id text primary key, name text not null);
create table region (
  id text primary key,
  name text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  latitude double precision not null,
  longitude double precision not null
);
create table offer (
  provider_id text not null references provider,
  region_id text not null references region,
  vendor_id text not null references vendor,
  active boolean not null default true,
  -- Sold also while no host there has a free address: buyers wait for one, and are told so.
  waiting_list boolean not null default false,
  primary key (provider_id, region_id, vendor_id)
);
create table product (
  id text primary key,
  plan_id text not null references plan,
  cycle_count int not null check (cycle_count in (1, 3, 6, 12)),
  provider_id text not null,
  region_id text not null,
  vendor_id text not null,
  unique (plan_id, cycle_count, provider_id, region_id, vendor_id),
  foreign key (provider_id, region_id, vendor_id) references offer
);
create table vat_rate (country text primary key, rate_bp int not null check (rate_bp between 0 and 10000));

-- text ------------------------------------------------------------------------------------------------------------
create table setting (key text primary key, value text not null);

-- account ---------------------------------------------------------------------------------------------------------
create table customer (
  id text primary key,
  email text not null unique check (email = lower(btrim(email))),
  language text not null,
  password_hash text,
  status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  created_at timestamptz not null
);

create table session (
  id text primary key,
  customer_id text not null references customer,
  access_hash bytea not null,
  access_expires_at timestamptz not null,
  refresh_hash bytea not null unique,
  -- The token before the last rotation: inside the grace it still gets an access token, later it is a theft.
  previous_refresh_hash bytea,
  rotated_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index session_previous on session (previous_refresh_hash);
create index session_customer on session (customer_id) where ended_at is null;

create table link_token (
  token_hash bytea primary key,
  customer_id text not null references customer,
  purpose text not null check (purpose in ('setPassword')),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- checkout --------------------------------------------------------------------------------------------------------
create table shop_order (
  id text primary key,
  -- SHA-256 of the order reference (the socket token) and of the order check value; the values live with the buyer.
  token_hash bytea not null unique,
  check_hash bytea not null,
  status text not null check (status in ('draft', 'awaitingPayment', 'paid', 'fulfilled', 'failed', 'expired', 'refunded')),
  version int not null default 0,
  category text not null,
  product_id text not null references product,
  currency text not null,
  price bigint not null check (price > 0),
  net bigint not null,
  vat bigint not null,
  vat_rate_bp int not null,
  renewal bigint not null,
  first_year boolean not null,
  customer_id text references customer,
  email text check (email = lower(btrim(email))),
  language text,
  terms_version text,
  payment_method text,
  -- Error name of the last refusal by the provider, while the status is failed.
  failure text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  fulfilled_at timestamptz,
  check (price = net + vat),
  -- A draft that nobody submitted expires without a buyer.
  check (status in ('draft', 'expired') or (email is not null and terms_version is not null and payment_method is not null))
);
create index shop_order_open on shop_order (expires_at) where status in ('draft', 'awaitingPayment', 'failed');

-- billing ---------------------------------------------------------------------------------------------------------
create table invoice (
  id text primary key,
  -- Given at finalisation only, without gaps in its series.
  number text unique,
  series text,
  serial int,
  status text not null check (status in ('draft', 'paid', 'void')),
  order_id text not null unique references shop_order,
  customer_id text references customer,
  currency text not null,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  vat_rate_bp int not null,
  created_at timestamptz not null,
  issued_at timestamptz,
  unique (series, serial),
  check (total = net + vat),
  check ((status = 'draft') = (number is null)),
  check ((number is null) = (serial is null) and (number is null) = (series is null))
);
create table invoice_line (
  invoice_id text not null references invoice,
  position int not null,
  product_id text not null references product,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  primary key (invoice_id, position),
  check (total = net + vat)
);
create table number_series (series text primary key, last int not null);
create table ledger_entry (
  txn text not null,
  account text not null check (account in ('cash', 'revenue', 'vat', 'refundsDue')),
  currency text not null,
  amount bigint not null,
  created_at timestamptz not null,
  primary key (txn, account)
);

-- payment ---------------------------------------------------------------------------------------------------------
create table attempt (
  id text primary key,
  invoice_id text not null references invoice,
  attempt_no int not null,
  provider text not null check (provider in ('stripe')),
  -- Also the idempotency key of every call that this attempt makes.
  provider_customer text,
  provider_ref text,
  status text not null check (status in ('created', 'requiresAction', 'processing', 'unknown', 'succeeded', 'failed', 'canceled')),
  currency text not null,
  amount bigint not null check (amount > 0),
  failure text,
  -- Money beyond what the invoice asked for; it is refunded.
  excess boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (invoice_id, attempt_no),
  unique (provider, provider_ref)
);
create unique index attempt_one_open on attempt (invoice_id) where status in ('created', 'requiresAction', 'processing', 'unknown');
create unique index attempt_one_success on attempt (invoice_id) where status = 'succeeded' and not excess;
create index attempt_unsettled on attempt (updated_at) where status in ('created', 'requiresAction', 'processing', 'unknown');

create table saved_card (
  id text primary key,
  customer_id text not null references customer,
  provider_customer text not null,
  provider_ref text not null unique,
  brand text not null,
  last4 text not null,
  expiry_month int not null,
  expiry_year int not null,
  is_default boolean not null,
  created_at timestamptz not null
);
create unique index saved_card_default on saved_card (customer_id) where is_default;

create table provider_event (
  provider text not null,
  event_id text not null,
  type text not null,
  object_ref text not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (provider, event_id)
);

create table refund (
  id text primary key,
  attempt_id text not null references attempt,
  currency text not null,
  amount bigint not null check (amount > 0),
  reason text not null check (reason in ('excess', 'staff', 'customer')),
  status text not null check (status in ('created', 'pending', 'succeeded', 'failed')),
  provider_ref text unique,
  created_at timestamptz not null
);
create unique index refund_one_excess on refund (attempt_id) where reason = 'excess' and status <> 'failed';

-- subscription ----------------------------------------------------------------------------------------------------
create table subscription (
  id text primary key,
  customer_id text not null references customer,
  order_id text not null unique references shop_order,
  product_id text not null references product,
  status text not null check (status in ('provisioning', 'active', 'pastDue', 'expired')),
  version int not null default 0,
  devices int not null check (devices between 1 and 31),
  data_transfer_gb int not null,
  rate_mbit int not null,
  currency text not null,
  renewal bigint not null,
  vat_rate_bp int not null,
  cycle_count int not null,
  created_at timestamptz not null,
  started_at timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  check ((status = 'provisioning') or period_end is not null)
);
create index subscription_customer on subscription (customer_id, created_at desc);
-- What was paid for: one row a period, so that no period is ever charged or granted twice.
create table subscription_period (
  subscription_id text not null references subscription,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  invoice_id text not null unique references invoice,
  primary key (subscription_id, starts_at)
);

-- key -------------------------------------------------------------------------------------------------------------
create table vpn_key (
  id text primary key,
  subscription_id text not null references subscription,
  name text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  address int not null check (address between 2 and 32),
  created_at timestamptz not null,
  deleted_at timestamptz
);
-- S45: held by the database, whatever races above it.
create unique index vpn_key_name on vpn_key (subscription_id, lower(name)) where deleted_at is null;
create unique index vpn_key_address on vpn_key (subscription_id, address) where deleted_at is null;
create function vpn_key_limit() returns trigger language plpgsql as $$
begin
  if new.address > (select devices + 1 from subscription where id = new.subscription_id) then
    raise exception 'key limit of the subscription' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger vpn_key_limit before insert on vpn_key for each row execute function vpn_key_limit();

create table certificate (
  -- Decimal, as the host's revocation list names it.
  serial text primary key,
  key_id text not null references vpn_key,
  not_after timestamptz not null,
  revoked boolean not null default false
);
create index certificate_key on certificate (key_id);

-- provisioning ----------------------------------------------------------------------------------------------------
create table host_authority (
  id boolean primary key default true check (id),
  ca text not null,
  ca_key_sealed bytea not null,
  tls_certificate text not null,
  tls_key_sealed bytea not null
);
create table host (
  id text primary key,
  provider_id text not null,
  region_id text not null,
  vendor_id text not null,
  status text not null check (status in ('enrolling', 'active', 'retired')),
  dns text[] not null,
  enrol_hash bytea,
  enrol_expires_at timestamptz,
  -- SHA-256 of the certificates that may speak for this host: the present one and, while renewing, the one before.
  certificate_hash bytea,
  previous_certificate_hash bytea,
  -- Grows with each change of the desired set.
  revision bigint not null default 1,
  applied_revision bigint not null default 0,
  seen_at timestamptz,
  foreign key (provider_id, region_id, vendor_id) references offer
);
create table static_ip (
  host_id text not null references host,
  bind_address inet not null,
  public_address inet not null unique,
  slot int not null check (slot between 1 and 2039),
  subscription_id text unique references subscription,
  primary key (host_id, slot)
);
create table assignment (
  subscription_id text primary key references subscription,
  host_id text not null references host,
  status text not null check (status in ('desired', 'up', 'failed', 'removed')),
  port int not null default 1194,
  server_name text not null,
  ca text not null,
  ca_key_sealed bytea not null,
  server_certificate text not null,
  server_key_sealed bytea not null,
  server_not_after timestamptz not null,
  tls_crypt_sealed bytea not null
);

-- bandwidth -------------------------------------------------------------------------------------------------------
create table key_rate (key_id text primary key references vpn_key, rate_mbit double precision not null check (rate_mbit > 0));
create table key_usage (
  key_id text not null references vpn_key,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  down_bytes bigint not null check (down_bytes >= 0),
  up_bytes bigint not null check (up_bytes >= 0),
  primary key (key_id, month)
);
