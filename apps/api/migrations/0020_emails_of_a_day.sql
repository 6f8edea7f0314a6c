-- expand
-- Emails of one day are collected into one, customers switch some off, and an invoice is paid from its email.

-- email -----------------------------------------------------------------------------------------------------------
-- An email that waits for others of its kind to the same customer. It names what it is about; its text is written when it
-- is sent. `batch`: the email that it leaves with. Kept for a while after that, so that a repeated job collects it once.
create table collected_email (
  id bigint generated always as identity primary key,
  customer_id text not null references customer,
  kind text not null,
  template text not null,
  subject_id text not null,
  copy text not null default '',
  -- Nobody waits for it: it leaves with what else is expected on its day.
  of_day boolean not null,
  created_at timestamptz not null,
  -- When it leaves, unless more of its kind are expected on the same day.
  due_at timestamptz not null,
  batch text,
  sent_at timestamptz,
  unique (template, subject_id, copy)
);
create index collected_email_due on collected_email (due_at) where batch is null;
create index collected_email_of on collected_email (customer_id, kind, created_at);
create index collected_email_batch on collected_email (batch) where batch is not null;
create index collected_email_old on collected_email (sent_at) where sent_at is not null;
alter table collected_email enable row level security;
create policy own on collected_email to fixpoint_customer using (customer_id = app_customer());
create policy work on collected_email to fixpoint_app using (true);
grant select, insert, update, delete on collected_email to fixpoint_app;

-- account ---------------------------------------------------------------------------------------------------------
-- Kinds of emails that the customer has switched off.
alter table customer add column emails_off text[] not null default '{}';
grant update (emails_off) on customer to fixpoint_customer;

-- Whether the session began in a browser that the customer had used before, or with a secret from their mailbox: what is
-- done there needs no email that asks whether it was them.
alter table session add column own_browser boolean not null default false;
grant select (own_browser) on session to fixpoint_customer;

-- payment ---------------------------------------------------------------------------------------------------------
-- Begun by whoever had the link of an invoice's email, who may not be the customer: the method is not saved.
alter table attempt add column by_link boolean not null default false;
