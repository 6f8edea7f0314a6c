-- expand
-- The URL from which a customer's firewalls read the customer's addresses.

-- subscription ----------------------------------------------------------------------------------------------------
create table allow_list (
  customer_id text primary key references customer,
  -- The token of the URL is an HMAC of this value under a key that is not in the database.
  seed text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null
);
alter table allow_list enable row level security;
create policy own on allow_list to fixpoint_customer using (customer_id = app_customer());
create policy work on allow_list to fixpoint_app using (true);
grant select, delete on allow_list to fixpoint_app;
grant select (customer_id, seed, created_at), insert, update (seed, token_hash, created_at), delete on allow_list
  to fixpoint_customer;
