-- expand
-- Who asked to be told, once, when a sold-out place has a free address.

-- catalog ---------------------------------------------------------------------------------------------------------
create table place_notice (
  id text primary key,
  region_id text not null references region,
  email text not null check (email = lower(btrim(email))),
  language text not null,
  -- Of the token in the email that asks for confirmation; null until that is sent.
  token_hash bytea unique,
  -- How often that email was asked for: the address may be a stranger's (S17).
  asked int not null default 1 check (asked between 1 and 3),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  -- The row is deleted then, or once its email is sent.
  expires_at timestamptz not null,
  unique (region_id, email)
);
create index place_notice_email on place_notice (email);
create index place_notice_expiry on place_notice (expires_at);
create index place_notice_waiting on place_notice (region_id, confirmed_at) where confirmed_at is not null;
grant select, insert, update, delete on place_notice to fixpoint_app;

-- Waiting needs no account, so a customer's rows are those of their address; their data export reads them.
alter table place_notice enable row level security;
create policy own on place_notice to fixpoint_customer
  using (email = (select customer.email from customer where customer.id = app_customer()));
create policy work on place_notice to fixpoint_app using (true);
grant select (region_id, email, asked_at, confirmed_at) on place_notice to fixpoint_customer;
