-- expand
-- What a customer is told of a device while its host has not applied a change, and how a device's connection ends.

-- provisioning ----------------------------------------------------------------------------------------------------
-- The device that a change is about; null: another change. `ends`: it takes away a right (the device, its earlier files).
alter table pending_change
  add column key_id text,
  add column ends boolean not null default false;
create index pending_change_key on pending_change (key_id) where key_id is not null;
grant select (host_id, subscription_id, customer_id, key_id, ends), insert (key_id, ends) on pending_change to fixpoint_customer;

-- An address that is a machine's own is not free, but a host has a say in its own ranges only: whatever it reports, it
-- takes no address of another host off sale.
create or replace view free_address with (security_invoker = true) as
  select static_ip.address, static_ip.pool_id, address_pool.host_id, static_ip.cooldown_until
  from static_ip
    join address_pool on address_pool.id = static_ip.pool_id
    join host on host.id = address_pool.host_id
  where static_ip.subscription_id is null
    and static_ip.bind_address <> all (host.own_addresses)
    and static_ip.address <> all (host.own_addresses);

-- key -------------------------------------------------------------------------------------------------------------
-- The customer's choice at the last download: the device stays offline when its rights end.
alter table vpn_key add column block_when_ended boolean not null default false;
grant update (block_when_ended) on vpn_key to fixpoint_customer;
