-- expand
-- Whose a device is.

-- key -------------------------------------------------------------------------------------------------------------
-- Null, as in rows from before: the founder's.
alter table vpn_key add column user_id text;
create index vpn_key_user on vpn_key (user_id) where deleted_at is null;

-- account ---------------------------------------------------------------------------------------------------------
-- A call asks whether its user still works for the customer before it gives them a device.
grant select on membership to fixpoint_customer;
