-- expand
-- Devices of a user at the customers of others, deleted ones too: their names are erased with the user.
create index vpn_key_colleague on vpn_key (user_id) where user_id <> customer_id;
