-- expand
-- Who logs in is apart from who buys: users, and their membership in customers.

-- account ---------------------------------------------------------------------------------------------------------
-- Somebody who logs in. Every customer is founded by the user with the same ID. `user` is a reserved word.
create table app_user (
  id text primary key,
  email text not null check (email = lower(btrim(email))),
  language text not null,
  password_hash text,
  status text not null check (status in ('active', 'disabled', 'deleted')),
  created_at timestamptz not null
);
create unique index app_user_address on app_user (email) where status = 'active';

-- What a user may do for a customer.
create table membership (
  customer_id text not null references customer,
  user_id text not null references app_user,
  role text not null check (role in ('member', 'buyer', 'owner')),
  since timestamptz not null,
  primary key (customer_id, user_id)
);
create index membership_user on membership (user_id);
alter table membership enable row level security;
create policy own on membership to fixpoint_customer using (customer_id = app_customer());
create policy work on membership to fixpoint_app using (true);
grant select, insert, update on app_user, membership to fixpoint_app;

-- Whose log-in a row is. Null, and without a foreign key, until the backfill `users` is done.
-- This version would show another user the founder's log-in, so a session is the founder's.
alter table session add column user_id text constraint session_of_founder check (user_id = customer_id);
alter table link_token add column user_id text;
alter table challenge add column user_id text;
alter table totp add column user_id text;
alter table recovery_code add column user_id text;
alter table passkey add column user_id text;
alter table ceremony add column user_id text;
-- What the user may do for the customer of the session; null until the backfill is done: everything.
alter table session add column role text check (role in ('member', 'buyer', 'owner'));

-- A version that knows no users writes customers only; these keep the founder and their log-in equal.
create function user_of_customer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into app_user (id, email, language, password_hash, status, created_at)
  values (new.id, new.email, new.language, new.password_hash, new.status, new.created_at)
  on conflict (id) do update set email = excluded.email, language = excluded.language,
    password_hash = excluded.password_hash, status = excluded.status;
  insert into membership (customer_id, user_id, role, since) values (new.id, new.id, 'owner', new.created_at)
  on conflict do nothing;
  return null;
end $$;
create trigger customer_has_user after insert or update of email, language, password_hash, status on customer
  for each row execute function user_of_customer();

create function user_of_log_in() returns trigger language plpgsql as $$
begin
  new.user_id := coalesce(new.user_id, new.customer_id);
  return new;
end $$;
create function user_of_session() returns trigger language plpgsql as $$
begin
  new.user_id := coalesce(new.user_id, new.customer_id);
  new.role := coalesce(new.role, 'owner');
  return new;
end $$;
do $$ declare log_in text; begin
  foreach log_in in array array['link_token', 'challenge', 'totp', 'recovery_code', 'passkey', 'ceremony'] loop
    execute format('create trigger %I before insert on %I for each row execute function user_of_log_in()',
      log_in || '_has_user', log_in);
  end loop;
end $$;
create trigger session_has_user before insert on session for each row execute function user_of_session();
