-- expand
-- Members, who see their own devices only (docs/decisions/0106). `fixpoint_member` answers their calls: of the customer in
-- `app.customer` it sees what the user in `app.user` has a part in, on the columns that such a call needs.
do $$ begin
  execute format('grant connect on database %I to fixpoint_member', current_database());
end $$;
grant usage on schema public to fixpoint_member;
grant execute on function app_customer() to fixpoint_member;

-- Whose call is answered, like app_customer().
create function acting_user() returns text language sql stable parallel safe
  return current_setting('app.user', true);
grant execute on function acting_user() to fixpoint_member;

-- team ------------------------------------------------------------------------------------------------------------
-- How many devices a member may have on a subscription. Without a row: none beyond those that they have.
create table device_allowance (
  subscription_id text not null,
  customer_id text not null,
  user_id text not null,
  devices int not null check (devices between 1 and 31),
  primary key (subscription_id, user_id),
  foreign key (subscription_id, customer_id) references subscription (id, customer_id),
  foreign key (customer_id, user_id) references membership on delete cascade
);
create index device_allowance_user on device_allowance (customer_id, user_id);
alter table device_allowance enable row level security;
create policy own on device_allowance to fixpoint_customer using (customer_id = app_customer());
create policy work on device_allowance to fixpoint_app using (true);
create policy member on device_allowance to fixpoint_member
  using (customer_id = app_customer() and user_id = acting_user());
grant select, insert, update, delete on device_allowance to fixpoint_app;
grant select on device_allowance to fixpoint_customer, fixpoint_member;

-- What a member sees -----------------------------------------------------------------------------------------------
create function seen_subscriptions() returns setof text language sql stable
begin atomic
  select subscription_id from device_allowance where customer_id = app_customer() and user_id = acting_user()
  union
  select subscription_id from vpn_key
  where customer_id = app_customer() and user_id = acting_user() and deleted_at is null;
end;
grant execute on function seen_subscriptions() to fixpoint_member;

-- Their devices, deleted ones too. New ones on what they see only.
create policy member on vpn_key to fixpoint_member using (customer_id = app_customer() and user_id = acting_user());
create policy member_adds on vpn_key as restrictive for insert to fixpoint_member
  with check (subscription_id in (select seen_subscriptions()));
-- Not the hash of a link.
grant select (id, subscription_id, customer_id, user_id, name, label, device, address, created_at, deleted_at,
    forwarded_port, block_when_ended),
  insert (id, subscription_id, customer_id, user_id, name, label, device, address, created_at),
  update (deleted_at, link_hash, link_expires_at, notify_at, block_when_ended) on vpn_key to fixpoint_member;
create policy member on certificate to fixpoint_member
  using (customer_id = app_customer() and exists (select from vpn_key where vpn_key.id = key_id));
grant select, insert, update (revoked) on certificate to fixpoint_member;
create policy member on key_rate to fixpoint_member
  using (customer_id = app_customer() and exists (select from vpn_key where vpn_key.id = key_id));
create policy member on key_usage to fixpoint_member
  using (customer_id = app_customer() and exists (select from vpn_key where vpn_key.id = key_id));
create policy member on key_usage_day to fixpoint_member
  using (customer_id = app_customer() and exists (select from vpn_key where vpn_key.id = key_id));
grant select on key_rate, key_usage, key_usage_day to fixpoint_member;

-- Their subscriptions, without a price. The version only to lock it, as for customers.
create policy member on subscription to fixpoint_member
  using (customer_id = app_customer() and id in (select seen_subscriptions()));
grant select (id, customer_id, product_id, label, status, created_at, started_at, anchor_at, period_start, period_end,
    cycle_count, cancel_at_period_end, suspended, replaced_by, devices, data_transfer_gb, rate_mbit, port_forward, version),
  update (version) on subscription to fixpoint_member;
create policy member on static_ip to fixpoint_member
  using (customer_id = app_customer() and subscription_id in (select seen_subscriptions()));
create policy member on subscription_identity to fixpoint_member
  using (customer_id = app_customer() and subscription_id in (select seen_subscriptions()));
grant select (address, pool_id, subscription_id, customer_id) on static_ip to fixpoint_member;
grant select (subscription_id, customer_id, server_name, ca, ca_key_sealed, tls_crypt_sealed) on subscription_identity
  to fixpoint_member;
-- Also of a device that the same call has deleted: its host must learn of it.
create policy member on assignment to fixpoint_member
  using (customer_id = app_customer() and (subscription_id in (select seen_subscriptions())
    or exists (select from vpn_key where vpn_key.subscription_id = assignment.subscription_id)));
create policy member on pending_change to fixpoint_member
  using (customer_id = app_customer() and (subscription_id in (select seen_subscriptions())
    or exists (select from vpn_key where vpn_key.subscription_id = pending_change.subscription_id)));
grant select (id, subscription_id, customer_id, host_id, status) on assignment to fixpoint_member;
grant select (host_id, subscription_id, customer_id, key_id, ends),
  insert (host_id, subscription_id, customer_id, key_id, ends) on pending_change to fixpoint_member;

-- Names of places, ports of addresses, and whether a host answers.
grant select on product, provider, region, vendor to fixpoint_member;
grant select (id, port, tcp_port, prefix, prefix6) on address_pool to fixpoint_member;
grant select (id, seen_at) on host to fixpoint_member;

-- Whether they still work for the customer.
create policy member on membership to fixpoint_member
  using (customer_id = app_customer() and user_id = acting_user());
grant select (customer_id, user_id, role) on membership to fixpoint_member;

-- They may ask for emails about their devices to themselves.
create policy member on job_request for insert to fixpoint_member with check (
  customer_id = app_customer() and name = 'sendEmail' and data ->> 'template' in ('keyAdded', 'keyDeleted')
    and data ->> 'customerId' = customer_id and data ->> 'userId' = acting_user()
);
grant insert (customer_id, name, data) on job_request to fixpoint_member;

-- What a subscription has in all, of which they see their part: names and addresses that are taken, and the end of the
-- nth newest file, which limits how many are made (S76).
create function devices_taken(of_subscription text) returns table (name text, address int)
  language sql stable security definer set search_path = public, pg_temp as $$
  select vpn_key.name, vpn_key.address from vpn_key
  where subscription_id = of_subscription and deleted_at is null
    and of_subscription in (select seen_subscriptions())
$$;
create function nth_newest_file(of_subscription text, since timestamptz, nth int) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp as $$
  select certificate.not_after from certificate join vpn_key on vpn_key.id = certificate.key_id
  where vpn_key.subscription_id = of_subscription and certificate.not_after > since
    and of_subscription in (select seen_subscriptions())
  order by certificate.not_after desc offset nth - 1 limit 1
$$;
grant execute on function devices_taken(text), nth_newest_file(text, timestamptz, int) to fixpoint_member;
