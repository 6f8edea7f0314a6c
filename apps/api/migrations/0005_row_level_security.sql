-- S30: what a customer's own call may see is held by the database as well. Such calls run as `fixpoint_customer` with the
-- customer's id in `app.customer`; the role owns nothing, cannot log in and cannot pass by the policies. Jobs, webhooks
-- and calls of visitors run as the owner of the tables.
--
-- Roles belong to the whole server: another database of it may have made this one already. A database user who may not
-- create roles needs its administrator to do these two statements once (docs/decisions/0010).
do $$ begin
  create role fixpoint_customer nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not pg_has_role(current_user, 'fixpoint_customer', 'member') then
    grant fixpoint_customer to current_user;
  end if;
end $$;

-- The role may do what the application does; which rows is what the policies say. Also for tables of later files and
-- of the job queue.
do $$ declare space text; begin
  for space in select nspname from pg_namespace where nspname in ('public', 'pgboss') loop
    execute format('grant usage on schema %I to fixpoint_customer', space);
    execute format('grant select, insert, update, delete on all tables in schema %I to fixpoint_customer', space);
    execute format('grant usage on all sequences in schema %I to fixpoint_customer', space);
  end loop;
end $$;
alter default privileges grant usage on schemas to fixpoint_customer;
alter default privileges grant select, insert, update, delete on tables to fixpoint_customer;
alter default privileges grant usage on sequences to fixpoint_customer;

-- Absent and empty are the same: nobody.
create function app_customer() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.customer', true), '') $$;

alter table customer enable row level security;
create policy own on customer using (id = app_customer());

-- Every table that says whose a row is.
do $$ declare owned text; begin
  for owned in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'customer_id'
      and not a.attisdropped and c.relname not in ('shop_order', 'invoice', 'challenge')
  loop
    execute format('alter table %I enable row level security', owned);
    execute format('create policy own on %I using (customer_id = app_customer())', owned);
  end loop;
end $$;

-- A guest's order has no owner until it is fulfilled: who knows its reference may take it over. Nobody's challenges are
-- those of addresses without an account.
alter table shop_order enable row level security;
create policy own on shop_order using (customer_id = app_customer() or (customer_id is null and app_customer() is not null));
alter table invoice enable row level security;
create policy own on invoice using (customer_id = app_customer() or (customer_id is null and app_customer() is not null));
alter table challenge enable row level security;
create policy own on challenge using (customer_id = app_customer());

-- What hangs on these: visible with what it hangs on, whose own policy is applied in the subquery.
alter table invoice_line enable row level security;
create policy own on invoice_line using (exists (select from invoice where invoice.id = invoice_id));
alter table attempt enable row level security;
create policy own on attempt using (exists (select from invoice where invoice.id = invoice_id));
alter table refund enable row level security;
create policy own on refund using (exists (select from attempt where attempt.id = attempt_id));
alter table subscription_period enable row level security;
create policy own on subscription_period using (exists (select from subscription where subscription.id = subscription_id));
alter table vpn_key enable row level security;
create policy own on vpn_key using (exists (select from subscription where subscription.id = subscription_id));
alter table assignment enable row level security;
create policy own on assignment using (exists (select from subscription where subscription.id = subscription_id));
alter table certificate enable row level security;
create policy own on certificate using (exists (select from vpn_key where vpn_key.id = key_id));
alter table key_rate enable row level security;
create policy own on key_rate using (exists (select from vpn_key where vpn_key.id = key_id));
alter table key_usage enable row level security;
create policy own on key_usage using (exists (select from vpn_key where vpn_key.id = key_id));

-- Nothing of these is a customer's business: neither read nor written in a customer's call.
alter table host_authority enable row level security;
alter table migration enable row level security;
alter table provider_event enable row level security;
