-- expand
-- Why a subscription is suspended, free days, and who may not buy again.

-- subscription ----------------------------------------------------------------------------------------------------
-- A cause for which a subscription is suspended; it is, while one is open. One that was suspended before this table had a
-- disputed payment.
create table suspension (
  id text primary key,
  subscription_id text not null,
  customer_id text not null,
  cause text not null check (cause in ('dispute', 'abuse', 'staff')),
  -- In the words of staff; erased with the account.
  reason text not null,
  since timestamptz not null,
  lifted_at timestamptz,
  lifted_by_staff boolean not null default false,
  foreign key (subscription_id, customer_id) references subscription (id, customer_id),
  check (lifted_at is not null or not lifted_by_staff)
);
create unique index suspension_open on suspension (subscription_id, cause) where lifted_at is null;
create index suspension_customer on suspension (customer_id);
alter table suspension enable row level security;
create policy own on suspension to fixpoint_customer using (customer_id = app_customer());
create policy work on suspension to fixpoint_app using (true);
grant select, insert, update (reason, lifted_at, lifted_by_staff) on suspension to fixpoint_app;

-- The end that was paid for, of a period that staff made longer. Free days earn nothing.
alter table subscription_period add column paid_until timestamptz;
grant update (paid_until) on subscription_period to fixpoint_app;

-- block -----------------------------------------------------------------------------------------------------------
-- Who may not buy again: keyed hashes, from which nobody reads an address, a card or an account.
create table block_entry (
  id text primary key,
  kind text not null check (kind in ('email', 'card', 'paypal')),
  hash bytea not null,
  -- The account that was closed.
  customer_id text not null references customer,
  reason text not null,
  created_at timestamptz not null,
  -- Null: for good.
  ends_at timestamptz
);
create index block_entry_hash on block_entry (hash, kind);
create index block_entry_customer on block_entry (customer_id);
alter table block_entry enable row level security;
create policy own on block_entry to fixpoint_customer using (customer_id = app_customer());
create policy work on block_entry to fixpoint_app using (true);
grant select, insert, update (reason), delete on block_entry to fixpoint_app;
