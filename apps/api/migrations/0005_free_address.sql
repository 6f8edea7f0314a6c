-- expand
-- Addresses that nobody has, in one place for those who sell them and those who place them.

-- Whether an address is a machine's own is looked up, not compared with those of all machines.
create index host_own_addresses on host using gin (own_addresses);
-- Of a range, those that do not rest come first.
create index static_ip_vacant on static_ip (pool_id, rests_until nulls first, address) where subscription_id is null;

-- An address is free when nobody has it and it is no machine's own: not its host's, by what that binds, nor any other's, as
-- it is sold. Machines of one network would both answer there. Whether it still rests says the shop's clock.
create view free_address with (security_invoker = true) as
  select static_ip.address, static_ip.pool_id, address_pool.host_id, static_ip.rests_until
  from static_ip
    join address_pool on address_pool.id = static_ip.pool_id
    join host on host.id = address_pool.host_id
  where static_ip.subscription_id is null
    and static_ip.bind_address <> all (host.own_addresses)
    and not exists (
      select from host as machine
      where machine.own_addresses @> array[static_ip.address] and machine.status <> 'retired'
    );
grant select on free_address to fixpoint_app;
