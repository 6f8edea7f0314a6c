-- expand
-- A document that takes the place of a paid invoice's, because its buyer was wrong.

-- billing ---------------------------------------------------------------------------------------------------------
-- It has a number of its own, and moves no money: amounts and lines are those of the invoice.
create table invoice_replacement (
  id text primary key,
  invoice_id text not null,
  customer_id text not null references customer,
  series text not null,
  serial int not null,
  number text not null unique,
  numbered_on date not null,
  -- The document that it takes the place of.
  replaces text not null,
  -- The company that it is made out to; empty once the buyer is erased.
  company jsonb not null,
  seller jsonb not null,
  -- In the words of staff; erased with the buyer.
  reason text not null,
  issued_at timestamptz not null,
  -- Null until it is rendered, and again once the buyer is erased.
  pdf bytea,
  made_at timestamptz,
  unique (series, serial),
  foreign key (invoice_id, customer_id) references invoice (id, customer_id)
);
create index invoice_replacement_invoice on invoice_replacement (invoice_id);
create index invoice_replacement_customer on invoice_replacement (customer_id);
alter table invoice_replacement enable row level security;
create policy own on invoice_replacement to fixpoint_customer using (customer_id = app_customer());
create policy work on invoice_replacement to fixpoint_app using (true);
grant select, insert, update (company, reason, pdf, made_at) on invoice_replacement to fixpoint_app;
grant select on invoice_replacement to fixpoint_customer;
