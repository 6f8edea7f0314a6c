-- expand
-- A user changes their own address, which 0054 allows.

-- account ---------------------------------------------------------------------------------------------------------
-- A change that can be undone. The row goes when it is undone, or when it no longer can be.
create table email_change (
  id text primary key,
  user_id text not null references app_user,
  old_email text not null check (old_email = lower(btrim(old_email))),
  new_email text not null check (new_email = lower(btrim(new_email))),
  -- Null while the new address does not hold yet.
  applied_at timestamptz,
  undo_until timestamptz not null
);
create index email_change_user on email_change (user_id);
create index email_change_old on email_change (old_email);
create index email_change_over on email_change (undo_until);
alter table email_change enable row level security;
create policy own on email_change to fixpoint_customer using (user_id = app_customer());
create policy work on email_change to fixpoint_app using (true);
grant select, insert, update, delete on email_change to fixpoint_app;
grant select on email_change to fixpoint_customer;

-- An address that may come back to its user is nobody else's meanwhile: inserts nothing, as for a known address.
create function keep_old_address() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if exists (select from email_change
    where old_email = new.email and user_id <> new.id and applied_at is not null) then
    return null;
  end if;
  return new;
end $$;
create trigger customer_address_is_free before insert on customer
  for each row execute function keep_old_address();

-- An account is called by its own name first.
create or replace function own_customers() returns jsonb language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'role', m.role,
    'name', coalesce(c.display_name, d.details ->> 'name', c.email)) order by m.since, c.id), '[]')
  from membership m join customer c on c.id = m.customer_id left join buyer_details d on d.customer_id = c.id
  where m.user_id = app_customer() and c.status = 'active'
$$;
