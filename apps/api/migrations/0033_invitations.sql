-- expand
-- Invitations to work for a customer, and what a log-in needs to know of a user with several customers.

-- account ---------------------------------------------------------------------------------------------------------
-- Who invited; null: the founder. Which customer a log-in opens; null: the user's own, or the first.
alter table membership add column invited_by text;
alter table app_user add column last_customer_id text;
grant delete on membership to fixpoint_app;

-- The sessions of a user. Rows from before the backfill `users` are the founder's.
create index session_of_user on session (coalesce(user_id, customer_id));
grant select (user_id) on session to fixpoint_customer;

-- team ------------------------------------------------------------------------------------------------------------
-- A row is an open invitation; it goes when it is accepted, withdrawn or over. The link exists as a hash only.
create table invitation (
  id text primary key,
  customer_id text not null references customer,
  email text not null check (email = lower(btrim(email))),
  role text not null check (role in ('member', 'buyer', 'owner')),
  -- How many devices they may add to a subscription.
  subscription_id text references subscription,
  devices integer check (devices between 1 and 31),
  invited_by text not null references app_user,
  -- Null until the email is sent.
  token_hash bytea unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (customer_id, email)
);
create index invitation_over on invitation (expires_at);
alter table invitation enable row level security;
create policy own on invitation to fixpoint_customer using (customer_id = app_customer());
create policy work on invitation to fixpoint_app using (true);
grant select, insert, update, delete on invitation to fixpoint_app;
-- For the data export.
grant select (customer_id, email, role, created_at, expires_at) on invitation to fixpoint_customer;

-- account ---------------------------------------------------------------------------------------------------------
-- Somebody who was only invited owns nothing; with their first subscription they own their own customer.
create function owner_of_subscription() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into membership (customer_id, user_id, role, since)
  select new.customer_id, app_user.id, 'owner', now() from app_user
  where app_user.id = new.customer_id
    and not exists (select from membership where membership.customer_id = new.customer_id)
  on conflict do nothing;
  return null;
end $$;
create trigger subscription_has_owner after insert on subscription
  for each row execute function owner_of_subscription();
