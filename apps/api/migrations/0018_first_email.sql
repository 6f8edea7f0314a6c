-- expand
-- The first email of a new buyer.

-- billing ---------------------------------------------------------------------------------------------------------
-- The receipt goes with the email that says that the subscription is ready.
alter table invoice add column with_ready boolean not null default false;

-- checkout --------------------------------------------------------------------------------------------------------
-- When the mail server last accepted an email about what was ordered.
alter table shop_order add column emailed_at timestamptz;
