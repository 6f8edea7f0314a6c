-- An address that its subscription has left rests before somebody else gets it (T9): who still
-- trusts it, a firewall or a bank, must not let a stranger in. Until then the row keeps its subscription.
alter table static_ip add column held_until timestamptz check (held_until is null or subscription_id is not null);
create index static_ip_held on static_ip (held_until) where held_until is not null;
