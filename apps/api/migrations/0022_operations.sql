-- expand
-- Operations of staff: what was shown before it is done, and what was done.

-- audit -----------------------------------------------------------------------------------------------------------
-- What staff changed, in an order without gaps. Names no person and no address: those stand in `audit_detail`.
create table audit_entry (
  seq bigint primary key check (seq > 0),
  at timestamptz not null,
  -- `console:` and the Unix user.
  actor text not null,
  -- Area and verb.
  operation text not null,
  -- An operation of several transactions has an entry from before it began, and one from when it was done.
  phase text not null check (phase in ('begun', 'done')),
  -- What it changed, such as the ID of a subscription.
  subject text,
  before jsonb,
  after jsonb,
  -- SHA-256 of the salted detail.
  detail_hash text,
  -- Hash of the entry before, and of this entry with it.
  previous text not null,
  hash text not null
);
create index audit_entry_subject on audit_entry (subject) where subject is not null;

-- Personal values of an entry: the reason in the words of staff, and whom it is about. Erased with the account.
create table audit_detail (
  seq bigint primary key references audit_entry,
  customer_id text references customer,
  -- As in the entry, for the export of the customer's data.
  at timestamptz not null,
  operation text not null,
  salt text not null,
  detail jsonb not null
);
create index audit_detail_customer on audit_detail (customer_id) where customer_id is not null;
alter table audit_detail enable row level security;
create policy own on audit_detail to fixpoint_customer using (customer_id = app_customer());
create policy work on audit_detail to fixpoint_app using (true);

-- Who of staff read a customer's page. Not part of the chain.
create table audit_read (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  operation text not null,
  customer_id text not null references customer
);
create index audit_read_customer on audit_read (customer_id);
alter table audit_read enable row level security;
create policy own on audit_read to fixpoint_customer using (customer_id = app_customer());
create policy work on audit_read to fixpoint_app using (true);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
-- Binds the owner as well, whom no grant binds.
create trigger audit_entry_kept before update or delete on audit_entry
  for each statement execute function refuse_change();
create trigger audit_entry_not_emptied before truncate on audit_entry
  for each statement execute function refuse_change();
create trigger audit_detail_kept before update on audit_detail
  for each statement execute function refuse_change();
create trigger audit_detail_not_emptied before truncate on audit_detail
  for each statement execute function refuse_change();
grant select, insert on audit_entry, audit_read to fixpoint_app;
grant select, insert, delete on audit_detail to fixpoint_app;
grant select (seq, customer_id, at, operation, detail) on audit_detail to fixpoint_customer;

-- email -----------------------------------------------------------------------------------------------------------
-- Emails to a customer that the mail server has taken, for a year. No text, no address, no code and no link.
create table sent_email (
  -- Its Message-ID before the @, as in the log of the mail server.
  message_id text not null,
  template text not null,
  -- Empty where its ID is a part of a secret.
  subject_id text not null,
  customer_id text not null references customer,
  sent_at timestamptz not null,
  -- Several that were collected left as one.
  primary key (message_id, template, subject_id)
);
create index sent_email_customer on sent_email (customer_id, sent_at);
create index sent_email_old on sent_email (sent_at);
alter table sent_email enable row level security;
create policy own on sent_email to fixpoint_customer using (customer_id = app_customer());
create policy work on sent_email to fixpoint_app using (true);
grant select, insert, delete on sent_email to fixpoint_app;
grant select on sent_email to fixpoint_customer;

-- staff -----------------------------------------------------------------------------------------------------------
-- Plans that were shown to staff. One is executed once; its result is kept for a day.
create table staff_preview (
  id text primary key,
  operation text not null,
  actor text not null,
  input jsonb not null,
  reason text,
  -- SHA-256 of the plan: one that has changed since is refused.
  plan_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  executed_at timestamptz,
  result jsonb
);
create index staff_preview_expiry on staff_preview (expires_at);
grant select, insert, update (executed_at, result), delete on staff_preview to fixpoint_app;

-- Staff finds a customer by the beginning of an address or of the name on a card, and reads all of theirs by an index.
create index customer_email_beginning on customer (email text_pattern_ops);
create index saved_method_holder_beginning on saved_method (lower(holder) text_pattern_ops) where holder is not null;
create index saved_method_customer on saved_method (customer_id);
create index dispute_attempt on dispute (attempt_id);
