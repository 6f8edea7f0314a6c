-- expand
-- Money that a gateway refunds no more, or that has left it.

-- billing ---------------------------------------------------------------------------------------------------------
-- Since when its document is there, or cannot be: its email is sent once its refund is known as well.
alter table credit_note add column ready_at timestamptz;
grant update (ready_at) on credit_note to fixpoint_app;

-- A rest too small for every payment method: what of this invoice is carried to a later one, what of earlier ones this one
-- collects, and what of the carried amount was written off, and when.
alter table invoice
  add column carried_out bigint not null default 0 check (carried_out >= 0),
  add column carried_in bigint not null default 0 check (carried_in >= 0),
  add column carried_ended bigint not null default 0 check (carried_ended between 0 and carried_out),
  add column carried_ended_at timestamptz;
create index invoice_carried on invoice (customer_id) where carried_out > 0 or carried_in > 0;

-- payment ---------------------------------------------------------------------------------------------------------
-- The part of the received amount that the gateway has lost again, as it reports now: a longer chain took the coins back.
alter table attempt add column gone bigint not null default 0 check (gone between 0 and received);

-- The gateway refunds nothing of the disputed payment, whatever becomes of the dispute.
alter table dispute add column blocks_refunds boolean not null default false;

-- Nobody was paid: the money that was due is written off.
alter table out_of_band_refund add column written_off boolean not null default false;
