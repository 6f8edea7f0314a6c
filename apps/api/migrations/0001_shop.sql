-- The shop from the catalogue to a running tunnel. Money: integer hundredths of the currency. Instants: timestamptz.
-- Forward only from the first release on; every later change is a further file.
--
-- Every row that belongs to a customer says so in `customer_id`, and a composite foreign key holds it to its parent's:
-- the policies of 0002 are one equality each. Null: a guest's, until his purchase has an account.

-- catalog ---------------------------------------------------------------------------------------------------------
create table plan (
  id text primary key,
  category text not null,
  position int not null,
  devices int not null check (devices between 1 and 31),
  data_transfer_gb int not null check (data_transfer_gb > 0),
  rate_mbit int not null check (rate_mbit > 0),
  -- Whether a port of the fixed IP can lead to a device.
  port_forward boolean not null default false,
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
create index product_place on product (provider_id, region_id, vendor_id);
create table vat_rate (country text primary key, rate_bp int not null check (rate_bp between 0 and 10000));

-- clock -----------------------------------------------------------------------------------------------------------
-- How far the shop's clock is ahead of the real one: whoever tries the shop lives through years in minutes.
create table shop_clock (id boolean primary key default true check (id), ahead_ms bigint not null check (ahead_ms >= 0));
insert into shop_clock (ahead_ms) values (0);

-- vault -----------------------------------------------------------------------------------------------------------
-- Which master key this database is sealed with, and sealed by it what the keys of all hashes are made of. One row; the
-- fingerprint is derived from the key, and tells nothing of it.
create table master_key (
  one boolean primary key default true check (one),
  fingerprint bytea not null,
  root_sealed bytea not null
);

-- text ------------------------------------------------------------------------------------------------------------
create table setting (key text primary key, value text not null);
-- What the operator says instead of a text of the shop. Keys of mails begin with `mail.`.
create table text_override (
  language text not null,
  key text not null,
  text text not null check (btrim(text) <> ''),
  primary key (language, key)
);

-- attention -------------------------------------------------------------------------------------------------------
-- What somebody has to act on: one row a matter, gone when it is mended.
create table attention (
  kind text not null,
  subject text not null,
  since timestamptz not null,
  last_seen timestamptz not null,
  times int not null default 1,
  -- Ids, states and amounts; never a person's address, a token or a name.
  what jsonb not null default '{}',
  primary key (kind, subject)
);
-- The oldest of a kind, of which there may be thousands at once: a provider that names none of our payments.
create index attention_oldest on attention (kind, since);

-- account ---------------------------------------------------------------------------------------------------------
create table customer (
  id text primary key,
  email text not null check (email = lower(btrim(email))),
  language text not null,
  password_hash text,
  status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  created_at timestamptz not null,
  -- When what is personal of a deleted account is erased; null: it goes on, or that is done.
  erase_at timestamptz
);
create index customer_erase on customer (erase_at) where erase_at is not null;
-- An address is taken by an account that goes on. One that was disabled or deleted keeps its row, and its owner can
-- begin anew.
create unique index customer_address on customer (email) where status = 'active';

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
  ended_at timestamptz,
  -- Where it is used (product names, no version, no address), and when its owner last proved who he is.
  browser text,
  system text,
  created_at timestamptz not null,
  confirmed_at timestamptz not null
);
create index session_customer on session (customer_id);
create index session_access on session (access_hash);
-- When nobody can use it any more; it is remembered for a while.
create index session_over on session (least(expires_at, idle_expires_at, ended_at));

create table link_token (
  token_hash bytea primary key,
  customer_id text not null references customer,
  purpose text not null check (purpose in ('setPassword')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index link_token_customer on link_token (customer_id);
create index link_token_expiry on link_token (expires_at);

-- One-time codes: sign up, set a new password, change the password.
create table challenge (
  -- Named to the client as `flow`: one request for a code, not to be guessed.
  id text primary key,
  purpose text not null check (purpose in ('signUp', 'resetPassword', 'changePassword')),
  email text not null check (email = lower(btrim(email))),
  -- Null: nobody has this address; everything looks the same from outside, and no letter is sent.
  customer_id text references customer,
  -- The known browser that asked, by the random name in its cookie; null: anybody may have.
  device text,
  -- HMAC of the code; null until the letter is written.
  code_hash bytea,
  tries int not null default 0 check (tries <= 5),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  grant_hash bytea unique,
  grant_expires_at timestamptz,
  -- Sign-up only: what becomes the account when the code is right.
  password_hash text,
  language text,
  terms_version text,
  check ((purpose = 'signUp') = (password_hash is not null)),
  check (purpose <> 'changePassword' or customer_id is not null)
);
create index challenge_address on challenge (email, purpose, sent_at);
create index challenge_customer on challenge (customer_id);
create index challenge_sent on challenge (sent_at);

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
create index ceremony_expiry on ceremony (expires_at);

-- limits ----------------------------------------------------------------------------------------------------------
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

-- answers ---------------------------------------------------------------------------------------------------------
-- What a call was answered, for whoever sends it again under the same Idempotency-Key; gone after a day. Hashes and sealed
-- bytes: nobody's row, and nothing to be read in it.
create table kept_answer (
  -- Of who called and the key that he chose.
  key bytea primary key,
  -- Of the call and its body.
  body bytea not null,
  -- Whose turn at it this is: each who takes it over from one who died begins another.
  turn int not null,
  -- Somebody is at it until then at the latest.
  held_until timestamptz not null,
  answer_sealed bytea,
  ends_at timestamptz not null
);
create index kept_answer_end on kept_answer (ends_at);

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
  -- What its plan gave when it began: {devices, dataTransferGb, rateMbit, portForward}. Money may come days later.
  gives jsonb not null,
  -- The subscription that it takes up again, or changes the plan of; null: a new one.
  subscription_id text,
  -- What changing the plan was offered for; null: it changes none.
  upgrade jsonb,
  -- Its buyer was shown that what it takes up again has its earlier address still.
  keeps_address boolean not null default false,
  -- Which subscription it takes the place of, and what the unused days of that pay of it; null: of none.
  replacement jsonb,
  currency text not null,
  -- Nothing where what was paid for the days that are left is enough for another plan.
  price bigint not null check (price > 0 or price = 0 and upgrade is not null),
  net bigint not null,
  vat bigint not null,
  vat_rate_bp int not null,
  renewal bigint not null,
  first_year boolean not null,
  customer_id text references customer,
  email text check (email = lower(btrim(email))),
  language text,
  terms_version text,
  payment_method text check (payment_method in ('card', 'paypal', 'bitcoin', 'promptpay')),
  -- Error name of the last refusal by the provider, while the status is failed.
  failure text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  fulfilled_at timestamptz,
  -- Nobody had the buyer's address: this very order made his account.
  made_account boolean not null default false,
  -- When the buyer mended the address that he had typed; he may once.
  email_changed_at timestamptz,
  unique (id, customer_id),
  check (price = net + vat),
  check (upgrade is null or subscription_id is not null),
  check (replacement is null or subscription_id is null),
  -- A draft that nobody submitted expires without a buyer.
  check (status in ('draft', 'expired') or (email is not null and terms_version is not null and payment_method is not null))
);
create index shop_order_customer on shop_order (customer_id);
create index shop_order_email on shop_order (email) where customer_id is null;
create index shop_order_changed on shop_order (email) where email_changed_at is not null;
create index shop_order_open on shop_order (expires_at) where status in ('draft', 'awaitingPayment', 'failed');
create index shop_order_stuck on shop_order (paid_at) where status = 'paid';
-- Guests whose order expired, until their address is erased.
create index shop_order_guest on shop_order (expires_at)
  where status = 'expired' and customer_id is null and email is not null;

-- subscription ----------------------------------------------------------------------------------------------------
create table subscription (
  id text primary key,
  customer_id text not null references customer,
  order_id text not null unique,
  product_id text not null references product,
  status text not null check (status in ('provisioning', 'active', 'pastDue', 'expired')),
  version int not null default 0,
  devices int not null check (devices between 1 and 31),
  data_transfer_gb int not null,
  rate_mbit int not null,
  port_forward boolean not null default false,
  currency text not null,
  renewal bigint not null,
  vat_rate_bp int not null,
  cycle_count int not null,
  created_at timestamptz not null,
  started_at timestamptz,
  -- The activation whose day and hour all later periods keep; another one after a re-activation.
  anchor_at timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  -- Its host lets no key in: a payment is disputed, where the operator wants that.
  suspended boolean not null default false,
  -- Somebody else bought it for this account: it keeps nobody from ending his account (O9).
  is_gift boolean not null default false,
  -- When its renewal is looked at next; null: it has none. How many reminders went out and how often it was tried, since
  -- the period began.
  due_at timestamptz,
  reminders int not null default 0,
  tries int not null default 0,
  -- A cheaper plan, what it gives and at which gross price, as it was chosen, and the end of the period after which it begins;
  -- null: it stays as it is.
  next_product_id text references product,
  next_gives jsonb,
  next_renewal bigint,
  next_from timestamptz,
  -- The one that is paid for to take its place: it ends when that runs.
  replaced_by text,
  -- Another price of this plan (gross), and another rate of VAT, that its customer was told of, and the first period of each.
  announced_renewal bigint,
  announced_renewal_from timestamptz,
  announced_vat_rate_bp int,
  announced_vat_from timestamptz,
  -- What the period after the present one costs, and at which rate.
  coming_renewal bigint not null generated always as (coalesce(
    next_renewal, case when announced_renewal_from <= period_end then announced_renewal end, renewal)) stored,
  coming_vat_rate_bp int not null generated always as (coalesce(
    case when announced_vat_from <= period_end then announced_vat_rate_bp end, vat_rate_bp)) stored,
  unique (id, customer_id),
  foreign key (order_id, customer_id) references shop_order (id, customer_id),
  foreign key (replaced_by, customer_id) references subscription (id, customer_id),
  check (status in ('provisioning', 'expired') or period_end is not null),
  check (num_nulls(next_product_id, next_gives, next_renewal, next_from) in (0, 4)),
  check ((announced_renewal is null) = (announced_renewal_from is null)),
  check ((announced_vat_rate_bp is null) = (announced_vat_from is null))
);
create index subscription_customer on subscription (customer_id, created_at desc);
create index subscription_product on subscription (product_id);
create index subscription_waiting on subscription (product_id, created_at) include (id) where status = 'provisioning';
create index subscription_due on subscription (due_at) where due_at is not null;
create index subscription_replaced on subscription (replaced_by) where replaced_by is not null;

-- Why somebody ended a subscription. What he wrote goes with his account.
create table cancellation (
  subscription_id text not null,
  customer_id text not null,
  version int not null,
  reasons text[] not null,
  comment text,
  primary key (subscription_id, version),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);
create index cancellation_customer on cancellation (customer_id);

alter table shop_order add foreign key (subscription_id, customer_id) references subscription (id, customer_id);
create index shop_order_subscription on shop_order (subscription_id) where subscription_id is not null;

-- Every move of a subscription, so that its life can be told. Ids, states and numbers only.
create table subscription_history (
  subscription_id text not null,
  customer_id text not null,
  -- The version that the move made.
  version int not null,
  at timestamptz not null,
  command text not null,
  from_status text not null,
  to_status text not null,
  detail jsonb not null default '{}',
  primary key (subscription_id, version),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);

-- billing ---------------------------------------------------------------------------------------------------------
create table invoice (
  id text primary key,
  customer_id text references customer,
  purpose text not null check (purpose in ('purchase', 'renewal', 'upgrade', 'reactivation')),
  -- What was ordered, where something was; which subscription it is for, as soon as there is one.
  order_id text unique,
  subscription_id text,
  period_start timestamptz,
  period_end timestamptz,
  status text not null check (status in ('draft', 'open', 'paid', 'void')),
  version int not null default 0,
  -- What a payer quotes before there is a number.
  reference text not null unique,
  -- Given with the payment only, without gaps in its series.
  series text,
  serial int,
  number text unique,
  currency text not null,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  credit_used bigint not null default 0 check (credit_used between 0 and total),
  -- What came for it and was too little by itself: it asks for that much less.
  prepaid bigint not null default 0 check (prepaid >= 0),
  -- What of it the unused days of the subscription pay whose place it takes.
  carried bigint not null default 0 check (carried >= 0),
  -- What came beyond it and became its payer's credit.
  kept bigint not null default 0 check (kept >= 0),
  -- Who buys, who sells and in which language, as they were at issue.
  buyer jsonb not null,
  -- Erased with his account; and nobody, when the legal time of what was left is over.
  buyer_is text not null default 'known' check (buyer_is in ('known', 'pseudonym', 'nobody')),
  seller jsonb not null,
  language text not null,
  created_at timestamptz not null,
  issued_at timestamptz,
  paid_at timestamptz,
  -- When a document of it is written that nobody has asked for earlier; null: all are there.
  papers_at timestamptz,
  unique (id, customer_id),
  unique (series, serial),
  foreign key (order_id, customer_id) references shop_order (id, customer_id),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id),
  check (total = net + vat),
  check (credit_used + prepaid + carried <= total),
  check ((period_start is null) = (period_end is null) and (period_start is null or period_end > period_start)),
  check (purpose = 'purchase' or subscription_id is not null),
  check ((status = 'paid') = (number is not null) and (status = 'paid') = (paid_at is not null)),
  check ((number is null) = (serial is null) and (number is null) = (series is null)),
  check (status = 'draft' or status = 'void' or issued_at is not null)
);
create index invoice_customer on invoice (customer_id, issued_at desc, serial desc);
create index invoice_subscription on invoice (subscription_id);
create index invoice_pseudonym on invoice (created_at) where buyer_is = 'pseudonym';
create index invoice_papers on invoice (papers_at) where papers_at is not null;
-- No period is ever charged twice.
create unique index invoice_one_per_period on invoice (subscription_id, period_start) where status <> 'void';

create table invoice_line (
  invoice_id text not null references invoice,
  customer_id text,
  position int not null,
  -- What is sold, in names as they were at issue: renaming a plan changes no history.
  text jsonb not null,
  net bigint not null,
  vat bigint not null,
  vat_rate_bp int not null,
  total bigint not null,
  primary key (invoice_id, position),
  foreign key (invoice_id, customer_id) references invoice (id, customer_id),
  check (total = net + vat)
);
create table number_series (
  series text primary key,
  last int not null,
  -- So many of them no row has: a backup that was restored did not know them, and customers do.
  lost int not null default 0 check (lost between 0 and last)
);

-- Takes back a part of a paid invoice or all of it, under a number of its own. What becomes of the money is its refund's.
create table credit_note (
  id text primary key,
  invoice_id text not null,
  customer_id text not null references customer,
  series text not null,
  serial int not null,
  number text not null unique,
  reason text not null,
  currency text not null,
  net bigint not null,
  vat bigint not null,
  vat_rate_bp int not null,
  total bigint not null check (total > 0),
  seller jsonb not null,
  language text not null,
  issued_at timestamptz not null,
  -- Its money became its customer's credit, and does not go back.
  kept boolean not null default false,
  -- Which invoice its money pays instead, of a subscription that takes the place of this one.
  pays_invoice_id text,
  -- The lost dispute by which its money went back; of carried, not that of this invoice: it had paid with unused days.
  dispute_id text,
  carried boolean not null default false,
  unique (id, customer_id),
  unique (id, kept),
  unique (series, serial),
  foreign key (invoice_id, customer_id) references invoice (id, customer_id),
  foreign key (pays_invoice_id, customer_id) references invoice (id, customer_id),
  check (total = net + vat),
  check (pays_invoice_id is null or kept),
  check (dispute_id is null or not kept),
  check (dispute_id is not null or not carried)
);
create index credit_note_invoice on credit_note (invoice_id);
create index credit_note_pays on credit_note (pays_invoice_id) where pays_invoice_id is not null;

-- What was handed out on paper: made once, never again, and its bytes held by their hash.
create table document (
  id text primary key,
  kind text not null check (kind in ('invoice', 'receipt', 'creditNote')),
  invoice_id text not null,
  customer_id text not null references customer,
  credit_note_id text unique,
  pdf bytea not null,
  sha256 text not null check (sha256 = encode(sha256(pdf), 'hex')),
  made_at timestamptz not null,
  foreign key (invoice_id, customer_id) references invoice (id, customer_id),
  foreign key (credit_note_id, customer_id) references credit_note (id, customer_id),
  check ((kind = 'creditNote') = (credit_note_id is not null))
);
create unique index document_of_invoice on document (invoice_id, kind) where credit_note_id is null;

-- subscription ----------------------------------------------------------------------------------------------------
-- What was paid for: one row a period, so that no period is ever granted twice.
create table subscription_period (
  subscription_id text not null,
  customer_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  invoice_id text not null unique,
  -- Gross, for all of its days: what they are paid at, and when an upgrade last said so.
  worth bigint not null check (worth >= 0),
  upgraded_at timestamptz,
  primary key (subscription_id, starts_at),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id),
  foreign key (invoice_id, customer_id) references invoice (id, customer_id)
);

-- billing ---------------------------------------------------------------------------------------------------------
-- Double entry: debit positive, credit negative; each transaction sums to zero in its currency.
create table ledger_entry (
  txn text not null,
  position int not null,
  account text not null check (account in
    ('provider', 'fees', 'revenue', 'vat', 'refundsDue', 'credit', 'reserved', 'goodwill', 'disputed', 'writeOff',
      'byHand')),
  -- Which provider's balance or fees, which customer's credit.
  provider text,
  customer_id text references customer,
  currency text not null,
  amount bigint not null check (amount <> 0),
  created_at timestamptz not null,
  primary key (txn, position),
  check ((account in ('provider', 'fees')) <= (provider is not null)),
  check ((account = 'credit') = (customer_id is not null))
);
create index ledger_customer on ledger_entry (customer_id, currency) where customer_id is not null;

create function ledger_balances() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_entry where txn = new.txn group by currency having sum(amount) <> 0) then
    raise exception 'ledger transaction % does not balance', new.txn using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_balances after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_balances();

-- Credit that staff gave, out of goodwill; the ledger books each by its id.
create table goodwill (
  id text primary key,
  customer_id text not null references customer,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- Staff's own words, for the books; empty once its customer is erased.
  reason text not null,
  created_at timestamptz not null
);
create index goodwill_customer on goodwill (customer_id);

-- What a customer has in credit, kept by the ledger alone. The check holds it, whatever races above it.
create table account_credit (
  customer_id text not null references customer,
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (customer_id, currency)
);
create function ledger_credit() returns trigger language plpgsql as $$
begin
  update account_credit set amount = amount - new.amount
    where customer_id = new.customer_id and currency = new.currency;
  if not found then
    insert into account_credit (customer_id, currency, amount) values (new.customer_id, new.currency, -new.amount)
      on conflict (customer_id, currency) do update set amount = account_credit.amount + excluded.amount;
  end if;
  return null;
end $$;
create trigger ledger_credit after insert on ledger_entry
  for each row when (new.account = 'credit') execute function ledger_credit();
-- What is booked stays: a mistake is put right by another transaction.
create function ledger_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to' using errcode = 'restrict_violation';
end $$;
create trigger ledger_stays before update or delete on ledger_entry
  for each row execute function ledger_stays();

-- books -----------------------------------------------------------------------------------------------------------
-- When what a provider has is next compared with what we have.
create table reconciliation (
  provider text primary key check (provider in ('stripe', 'paypal', 'btcpay')),
  due_at timestamptz not null,
  -- When next from the beginning, down to the balance.
  balance_due_at timestamptz not null
);

-- paypal ----------------------------------------------------------------------------------------------------------
-- Where certificates lay that PayPal has signed with. A dozen in years.
create table paypal_certificate (address text primary key, proved_at timestamptz not null);

-- payment ---------------------------------------------------------------------------------------------------------
-- Who pays, as a provider knows him: one for an account and provider, one for each guest's invoice.
create table payer (
  id text primary key,
  customer_id text references customer,
  provider text not null check (provider in ('stripe', 'paypal', 'btcpay')),
  -- The provider's own customer; null until it answered.
  provider_ref text,
  -- A new try is a new idempotency key: a broken answer is repeated for the old one.
  tries int not null default 0,
  created_at timestamptz not null,
  unique (id, customer_id),
  unique (provider, provider_ref)
);
create unique index payer_of_customer on payer (customer_id, provider) where customer_id is not null;

create table saved_method (
  id text primary key,
  customer_id text not null references customer,
  method text not null check (method in ('card', 'paypal')),
  payer_id text not null,
  provider_ref text not null unique,
  -- The same card once, however often it is used.
  fingerprint text not null,
  -- What its owner knows it by: of a card, or the masked name of an account at the provider.
  brand text,
  last4 text,
  expiry_month int,
  expiry_year int,
  -- As it stands on the card, where its owner said so.
  holder text,
  account text,
  is_default boolean not null,
  -- What its owner agreed to when he gave it, and when: a charge without his hand rests on it.
  consent jsonb,
  consented_at timestamptz,
  created_at timestamptz not null,
  -- When it is looked at whether its owner is to be told that it runs out; null: he was, or it does not.
  tell_at timestamptz,
  unique (customer_id, method, fingerprint),
  unique (id, customer_id),
  check ((method = 'card') = (num_nonnulls(brand, last4, expiry_month, expiry_year) = 4)),
  check ((method = 'card') = (account is null)),
  check (method = 'card' or holder is null),
  check ((consent is null) = (consented_at is null)),
  check (method = 'card' or tell_at is null),
  foreign key (payer_id, customer_id) references payer (id, customer_id)
);
create unique index saved_method_default on saved_method (customer_id) where is_default;
create index saved_method_tell on saved_method (tell_at) where tell_at is not null;

-- A way to pay that nobody keeps any more, until its provider has forgotten it: nothing else names it.
create table method_to_forget (
  id text primary key,
  method text not null check (method in ('card', 'paypal')),
  provider_ref text not null,
  since timestamptz not null
);

-- The saving of a card that is not saved: how often a bank refused it, as its provider counts, and under whose names that
-- is counted, which tell nothing. Kept for a day.
create table card_saving (
  ref text primary key,
  declines int not null default 0,
  counted_for text[] not null,
  seen_at timestamptz not null
);
create index card_saving_seen on card_saving (seen_at);

create table attempt (
  id text primary key,
  invoice_id text not null references invoice,
  customer_id text,
  attempt_no int not null,
  method text not null check (method in ('card', 'paypal', 'bitcoin', 'promptpay')),
  payer_id text references payer,
  saved_method_id text references saved_method,
  -- It is charged by what its owner had kept when it began, whether or not he keeps that still.
  by_saved boolean not null default false check (by_saved or saved_method_id is null),
  provider_ref text,
  -- What refunds name at the provider, where that is not the payment itself.
  charge_ref text,
  status text not null check (status in ('created', 'open', 'processing', 'succeeded', 'failed', 'closed')),
  version int not null default 0,
  -- Which try to reach the provider, 0: none yet. Part of the idempotency key, written before the call.
  tries int not null default 0,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- What can be seen of its money, there or on its way; shown, never booked.
  seen bigint not null default 0 check (seen >= 0),
  -- Until when it can be paid as it was offered: a rate, a QR code.
  expires_at timestamptz,
  -- What arrived, as the provider reports it: the sum of its receipts; and what it kept for itself.
  received bigint not null default 0 check (received >= 0),
  fee bigint,
  -- The part of it that the invoice did not ask for.
  excess bigint not null default 0 check (excess between 0 and received),
  failure text,
  -- Charged as it renewed, without its owner there.
  unattended boolean not null default false,
  -- What it was tried with would be refused again: not charged once more without its owner's hand.
  hard boolean not null default false,
  -- It is one of those because its owner has to agree at his bank.
  asks_owner boolean not null default false check (hard or not asks_owner),
  -- How often a bank refused it, as its provider counts; and under whose names that is counted, which tell nothing.
  declines int not null default 0,
  counted_for text[] not null default '{}',
  -- What it was paid with, as its owner knows it.
  paid_with jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the provider is asked again if nobody brings news; null: nothing can change any more.
  ask_at timestamptz,
  unique (invoice_id, attempt_no),
  unique (id, customer_id),
  unique (provider_ref, method),
  foreign key (invoice_id, customer_id) references invoice (id, customer_id)
);
create unique index attempt_one_open on attempt (invoice_id) where status in ('created', 'open', 'processing');
create unique index attempt_one_success on attempt (invoice_id) where status = 'succeeded' and excess < received;
create index attempt_ask on attempt (ask_at) where ask_at is not null;
create index attempt_customer on attempt (customer_id);
-- For the comparison with a provider.
create index attempt_created on attempt (method, created_at, id);
create index attempt_charge on attempt (charge_ref) where charge_ref is not null;
create index attempt_excess on attempt (updated_at) where excess > 0;
create index attempt_saved_method on attempt (saved_method_id) where saved_method_id is not null;

-- Money that has arrived, one row a transfer: whoever sends coins can do it more than once.
create table receipt (
  attempt_id text not null references attempt,
  customer_id text,
  -- The transfer, as the provider names it.
  provider_ref text not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  received_at timestamptz not null,
  primary key (attempt_id, provider_ref),
  foreign key (attempt_id, customer_id) references attempt (id, customer_id)
);

create table provider_event (
  provider text not null,
  event_id text not null,
  type text not null,
  about text not null check (about in ('payment', 'refund', 'dispute', 'method', 'saving')),
  object_ref text not null,
  -- Our own name of it, where the provider repeats it; and whether it says that money has moved.
  own_id text,
  moved boolean not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (provider, event_id)
);
create index provider_event_received on provider_event (received_at);
create index provider_event_waiting on provider_event (received_at) where processed_at is null;

create table refund (
  id text primary key,
  attempt_id text not null references attempt,
  customer_id text,
  currency text not null,
  amount bigint not null check (amount > 0),
  reason text not null check (reason in ('excess', 'staff', 'customer')),
  -- What it pays back; a new try after a failure pays the same note.
  credit_note_id text,
  -- Never a note whose money became credit: that would go twice.
  note_kept boolean not null generated always as (false) stored,
  status text not null check (status in ('created', 'pending', 'succeeded', 'failed')),
  version int not null default 0,
  -- As of an attempt; 0: nothing was sent yet.
  tries int not null default 0,
  provider_ref text unique,
  failure text,
  -- The lost dispute by which its money went back instead: it was never sent.
  dispute_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ask_at timestamptz,
  unique (id, customer_id),
  check (dispute_id is null or (status = 'failed' and tries = 0)),
  foreign key (attempt_id, customer_id) references attempt (id, customer_id),
  foreign key (credit_note_id, customer_id) references credit_note (id, customer_id),
  constraint refund_note_kept foreign key (credit_note_id, note_kept) references credit_note (id, kept),
  check ((reason = 'excess') = (credit_note_id is null))
);
create unique index refund_one_excess on refund (attempt_id) where reason = 'excess' and status <> 'failed';
-- One on its way for a note at most.
create unique index refund_one_credit on refund (credit_note_id) where status <> 'failed';
create index refund_attempt on refund (attempt_id);
create index refund_created on refund (created_at);
create index refund_ask on refund (ask_at) where ask_at is not null;

-- What staff has paid back from the operator's own bank; the ledger books each by its id.
create table hand_payback (
  id text primary key,
  invoice_id text not null references invoice,
  customer_id text,
  -- The one that failed; null: it came beyond the invoice.
  refund_id text unique references refund,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- Staff's own words, for the books; empty once its customer is erased.
  reason text not null,
  created_at timestamptz not null,
  foreign key (invoice_id, customer_id) references invoice (id, customer_id)
);
create index hand_payback_invoice on hand_payback (invoice_id);
create index hand_payback_customer on hand_payback (customer_id);

-- Money at a provider that is none of ours, as somebody has looked up: the comparison of the books leaves it out.
create table foreign_money (
  provider text not null check (provider in ('stripe', 'paypal', 'btcpay')),
  ref text not null,
  reason text not null,
  said_at timestamptz not null,
  primary key (provider, ref)
);

-- What a payer's bank, or the provider, took back or may take back of a payment.
create table dispute (
  id text primary key,
  attempt_id text not null references attempt,
  provider_ref text not null,
  -- inquiry: somebody asks, and no money has moved.
  status text not null check (status in ('inquiry', 'open', 'won', 'lost')),
  version int not null default 0,
  currency text not null,
  amount bigint not null check (amount >= 0),
  -- What the provider holds back of our balance now, and what it took for the dispute itself.
  withdrawn bigint not null check (withdrawn >= 0),
  fee bigint not null check (fee >= 0),
  -- The provider's own word.
  reason text not null,
  respond_by timestamptz,
  -- What of its payer's credit went by it, once it was lost: days of its payment had become that.
  credit_taken bigint not null default 0 check (credit_taken >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ask_at timestamptz,
  unique (attempt_id, provider_ref),
  check ((status = 'inquiry') <= (withdrawn = 0)),
  check (credit_taken = 0 or status = 'lost')
);
create index dispute_ask on dispute (ask_at) where ask_at is not null;
alter table credit_note add foreign key (dispute_id) references dispute;
create index credit_note_dispute on credit_note (dispute_id) where dispute_id is not null;
alter table refund add foreign key (dispute_id) references dispute;
create index refund_dispute on refund (dispute_id) where dispute_id is not null;

-- key -------------------------------------------------------------------------------------------------------------
create table vpn_key (
  id text primary key,
  subscription_id text not null,
  customer_id text not null,
  name text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- What its owner calls the device, and what kind it is.
  label text check (length(label) between 1 and 60),
  device text check (device in ('ios', 'android', 'windows', 'macos', 'linux', 'chromeos')),
  address int not null check (address between 2 and 32),
  -- The port of the fixed IP that leads to this device; one in a subscription, where its plan has it.
  forwarded_port int check (forwarded_port between 1024 and 65535),
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- The link by which another device may get a file now, as its hash: a new one ends it, and whoever follows it.
  link_hash bytea unique,
  link_expires_at timestamptz,
  -- When its owner is told that its newest file ends soon; null: he was, or there is none.
  tell_at timestamptz,
  unique (id, customer_id),
  check ((link_hash is null) = (link_expires_at is null)),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);
-- S45: held by the database, whatever races above it.
create unique index vpn_key_name on vpn_key (subscription_id, lower(name)) where deleted_at is null;
create unique index vpn_key_address on vpn_key (subscription_id, address) where deleted_at is null;
create unique index vpn_key_forwarded on vpn_key (subscription_id)
  where forwarded_port is not null and deleted_at is null;
create index vpn_key_subscription on vpn_key (subscription_id);
create index vpn_key_customer on vpn_key (customer_id);
create index vpn_key_tell on vpn_key (tell_at) where tell_at is not null;
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
  key_id text not null,
  customer_id text not null,
  not_after timestamptz not null,
  revoked boolean not null default false,
  -- Names what its file says beside the certificate: a file with another one is outdated.
  profile_version text not null,
  foreign key (key_id, customer_id) references vpn_key (id, customer_id)
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
  -- Gets nobody new; who is on it stays until he is moved.
  draining boolean not null default false,
  dns text[] not null,
  -- What ranges are routed to: the machine's own address, or the number that its provider knows it by.
  machine text,
  -- So many subscriptions at most, and its share of the new ones beside other hosts of the place.
  capacity int not null default 2039 check (capacity between 1 and 2039),
  weight int not null default 100 check (weight between 1 and 1000),
  enrol_hash bytea,
  enrol_expires_at timestamptz,
  -- The token is good at every boot: of a machine that forgets everything when it is switched off.
  enrol_each_boot boolean not null default false,
  -- The operator's word, or that of a token for every boot: the machine that this host was before the one that enrols is off.
  earlier_is_off boolean not null default false,
  -- SHA-256 of the certificates that may speak for this host: the present one and, while renewing, the one before.
  certificate_hash bytea,
  previous_certificate_hash bytea,
  -- Grows with each change of the desired set that the host was given.
  revision bigint not null default 1,
  applied_revision bigint not null default 0,
  -- Where its kernel is not what it was given, as it said last: [{what, more, missing}].
  drift jsonb not null default '[]',
  seen_at timestamptz,
  -- The newest proof that it keeps no logs: the text that is published, and its Ed25519 signature in base64.
  no_logs_report text,
  no_logs_signature text,
  check ((no_logs_report is null) = (no_logs_signature is null)),
  foreign key (provider_id, region_id, vendor_id) references offer
);
create index host_place on host (provider_id, region_id, vendor_id);
create unique index host_certificate on host (certificate_hash);
create index host_previous_certificate on host (previous_certificate_hash);

-- Machines that must not serve any more: of a host that was retired, or the one before a replaced host. It is told so
-- when it asks, and says when it has stopped. Until then, or until its set has become too old, no other may serve.
create table ended_machine (
  certificate_hash bytea primary key,
  previous_certificate_hash bytea,
  host_id text not null references host,
  -- Heard of last.
  seen_at timestamptz not null,
  stopped_at timestamptz
);
create index ended_machine_previous on ended_machine (previous_certificate_hash);
create index ended_machine_host on ended_machine (host_id) where stopped_at is null;

-- Something that a host shall run has changed; its next question takes all of them up in one revision. Written in the
-- transaction that changes something, so that nobody waits for a lock on the host's row.
create table host_change (
  id bigint generated always as identity primary key,
  host_id text not null references host,
  -- Of whom; null: something of the host itself.
  subscription_id text,
  customer_id text,
  -- The revision that took it up. The row goes when the host has applied that one.
  revision bigint,
  -- When the host spoke for the first time without having applied it.
  owed_since timestamptz,
  check ((subscription_id is null) = (customer_id is null)),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);
create index host_change_host on host_change (host_id, revision);

-- Addresses come in ranges of any size that belong to a place and are routed to one of its hosts; a range can be routed
-- to another host, and its addresses go with it.
create table address_pool (
  id text primary key,
  prefix cidr not null,
  -- A prefix of IPv6 that is routed to the same host, shared out to its addresses evenly; null: IPv6 ends in the tunnels.
  prefix6 cidr check (family(prefix6) = 6),
  provider_id text not null,
  region_id text not null,
  vendor_id text not null,
  host_id text not null references host,
  -- Files name it beside the address, so it stays when the range goes to another host.
  port int not null default 1194 check (port between 1 and 65535),
  -- The same of TCP, for networks that let no UDP through; null: its addresses answer over UDP alone.
  tcp_port int default 443 check (tcp_port between 1 and 65535),
  -- How the range gets to a host: by the operator's hand, or by a call of its provider.
  routing text not null default 'static' check (routing in ('static', 'hcloud')),
  -- While it goes to a host: the one that it leaves (itself, if it is new), and whether packets already take the new way.
  moving_from text references host,
  routed boolean not null default true,
  foreign key (provider_id, region_id, vendor_id) references offer,
  check (routed or moving_from is not null),
  exclude using gist (prefix inet_ops with &&),
  exclude using gist (prefix6 inet_ops with &&)
);
create index address_pool_moving on address_pool (moving_from) where moving_from is not null;
create index address_pool_host on address_pool (host_id);
create index address_pool_place on address_pool (provider_id, region_id, vendor_id);

create table static_ip (
  address inet primary key,
  pool_id text not null references address_pool,
  -- What the host binds: another address behind 1:1 NAT.
  bind_address inet not null,
  subscription_id text,
  customer_id text,
  -- Its holder's until then, when he pays no more; then it rests before somebody else gets it.
  held_until timestamptz,
  -- No order is promised it longer than that; one whose money is on its way may hold it for some days more.
  held_at_most timestamptz,
  rests_until timestamptz,
  -- When he is told that it is held no longer soon; null: he was.
  tell_at timestamptz,
  foreign key (subscription_id, customer_id) references subscription (id, customer_id),
  check ((subscription_id is null) = (customer_id is null)),
  check (held_until is null or subscription_id is not null),
  check (rests_until is null or subscription_id is null)
);
create unique index static_ip_holder on static_ip (subscription_id) where subscription_id is not null;
create index static_ip_free on static_ip (pool_id, address) where subscription_id is null;
create index static_ip_held on static_ip (held_until) where held_until is not null;
create index static_ip_tell on static_ip (tell_at) where tell_at is not null;
create index static_ip_resting on static_ip (rests_until) where rests_until is not null;

-- What a customer's files trust. It outlives hosts, and ends when the held address is given up.
create table subscription_identity (
  subscription_id text primary key,
  customer_id text not null,
  server_name text not null,
  ca text not null,
  ca_key_sealed bytea not null,
  tls_crypt_sealed bytea not null,
  -- Its address was given up: the row goes when no host runs it any more.
  ended_at timestamptz,
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);

create index subscription_identity_ended on subscription_identity (ended_at) where ended_at is not null;

-- Where a subscription runs. One that is not leaving; while it moves, also the one that it leaves.
create table assignment (
  id text primary key,
  subscription_id text not null references subscription_identity,
  customer_id text not null,
  host_id text not null references host,
  -- Names its device and tunnel network on the host.
  slot int not null check (slot between 1 and 2039),
  status text not null check (status in ('desired', 'up', 'failed', 'leaving')),
  -- Since when it shall run there and does not; null: it runs.
  down_since timestamptz,
  -- What its host has found when it connected to it; null: it has not, or could not look.
  proven boolean,
  -- One host serves it at a time: where another may still do so, this one waits.
  address inet not null references static_ip,
  server_certificate text not null,
  server_key_sealed bytea not null,
  server_not_after timestamptz not null,
  unique (host_id, slot),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);
create unique index assignment_one on assignment (subscription_id) where status <> 'leaving';
create index assignment_subscription on assignment (subscription_id);
create index assignment_certificate on assignment (server_not_after);
create index assignment_address on assignment (address);
create index assignment_down on assignment (host_id, down_since) where down_since is not null;
-- What each key used on a day (Bangkok) in one count of a host, as it says when the day is over. Kept for the picture of a
-- month, then forgotten; a month's sum stays.
create table key_usage_day (
  key_id text not null,
  customer_id text not null,
  day text not null check (day ~ '^\d{4}-\d{2}-\d{2}$'),
  -- The count: another one of a host that was set up anew, or of another host.
  epoch text not null,
  down_bytes bigint not null check (down_bytes >= 0),
  up_bytes bigint not null check (up_bytes >= 0),
  primary key (key_id, day, epoch),
  foreign key (key_id, customer_id) references vpn_key (id, customer_id)
);
create index key_usage_day_day on key_usage_day (day);
create index key_usage_day_customer on key_usage_day (customer_id);
-- What each key used in a month: the sum of its days.
create table key_usage (
  key_id text not null,
  customer_id text not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  down_bytes bigint not null check (down_bytes >= 0),
  up_bytes bigint not null check (up_bytes >= 0),
  primary key (key_id, month),
  foreign key (key_id, customer_id) references vpn_key (id, customer_id)
);

-- bandwidth -------------------------------------------------------------------------------------------------------
create table key_rate (
  key_id text primary key,
  customer_id text not null,
  rate_mbit double precision not null check (rate_mbit > 0),
  foreign key (key_id, customer_id) references vpn_key (id, customer_id)
);

-- Shares of the fair-use figure, in percent, that a customer was told to have reached in a month: each once (M7).
create table usage_notice (
  subscription_id text not null,
  customer_id text not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  percent int not null check (percent in (80, 100)),
  primary key (subscription_id, month, percent),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id)
);

-- jobs ------------------------------------------------------------------------------------------------------------
-- Jobs that a customer's call wishes for: his role may not write the queue. Moved there by whoever works.
create table job_request (
  id bigint generated always as identity primary key,
  customer_id text not null references customer,
  name text not null,
  data jsonb not null
);
