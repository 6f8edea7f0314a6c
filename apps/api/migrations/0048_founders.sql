-- expand
-- A founder leaves their customer, which takes another owner (0054).

-- account ---------------------------------------------------------------------------------------------------------
-- Who founded a customer, once their log-in has an ID of its own; null: the user with the customer's ID. Nobody logs in by
-- the ID of a customer whose founder has one: it has no password, and an address that is nobody's.
alter table customer add column founder_id text references app_user constraint customer_without_log_in check (
  founder_id is null or (password_hash is null and (status <> 'active' or email like '%@deleted.invalid')));
create index customer_founder on customer (founder_id) where founder_id is not null;
grant delete on app_user to fixpoint_app;

-- The ID that the user had when it was made; null: the present one. An authenticator keeps it, and a code's hash has it.
alter table passkey add column made_for text;
alter table recovery_code add column made_for text;

-- Only a new customer makes its founder an owner: who was only invited does not own theirs because of a new password.
create or replace function user_of_customer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if new.founder_id is not null then
    return null;
  end if;
  insert into app_user (id, email, language, password_hash, status, created_at)
  values (new.id, new.email, new.language, new.password_hash, new.status, new.created_at)
  on conflict (id) do update set email = excluded.email, language = excluded.language,
    password_hash = excluded.password_hash, status = excluded.status;
  if tg_op = 'INSERT' then
    insert into membership (customer_id, user_id, role, since) values (new.id, new.id, 'owner', new.created_at)
    on conflict do nothing;
  end if;
  return null;
end $$;

-- Without a membership a session is for the user's own customer, so nobody begins one as the user of before.
create or replace function user_of_session() returns trigger language plpgsql as $$
begin
  new.user_id := coalesce(new.user_id, new.customer_id);
  new.role := coalesce(new.role, 'owner');
  if exists (select from customer where id = new.user_id and founder_id is not null) then
    raise exception 'nobody logs in as %', new.user_id;
  end if;
  return new;
end $$;

-- Who gets the bills of a customer that nobody logs in by: the owner of longest standing. A customer's call asks about itself.
create function contact_of_customer(of_customer text) returns table (email text, language text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select app_user.email, app_user.language
  from membership join app_user on app_user.id = membership.user_id
  where membership.customer_id = of_customer and role = 'owner' and app_user.status = 'active'
    and of_customer = coalesce(nullif(app_customer(), ''), of_customer)
  order by since, app_user.id limit 1
$$;
grant execute on function contact_of_customer(text) to fixpoint_app, fixpoint_customer;

-- An account without a name is called by the address of its founder, or else of the owner of longest standing.
create or replace function own_customers() returns jsonb language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'role', m.role,
    'name', coalesce(c.display_name, d.details ->> 'name', contact.email, c.email)) order by m.since, c.id), '[]')
  from membership m join customer c on c.id = m.customer_id left join buyer_details d on d.customer_id = c.id
    left join lateral (
      select u.email from membership o join app_user u on u.id = o.user_id
      where c.founder_id is not null and o.customer_id = c.id and o.role = 'owner' and u.status = 'active'
      order by o.since, u.id limit 1
    ) contact on true
  where m.user_id = app_customer() and c.status = 'active'
$$;
