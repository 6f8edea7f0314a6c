-- expand
-- The company that a customer buys for.

-- billing ---------------------------------------------------------------------------------------------------------
-- What the next invoices are made out to. Each keeps its own in its buyer, as it was at issue.
create table buyer_details (
  customer_id text primary key references customer,
  details jsonb not null,
  updated_at timestamptz not null
);
alter table buyer_details enable row level security;
create policy own on buyer_details to fixpoint_customer using (customer_id = app_customer());
create policy work on buyer_details to fixpoint_app using (true);
grant select, insert, update, delete on buyer_details to fixpoint_app;
grant select, insert, update (details, updated_at), delete on buyer_details to fixpoint_customer;
