-- expand
-- Money that a gateway refunds no more, or that has left it.

-- billing ---------------------------------------------------------------------------------------------------------
-- Since when its document is there, or cannot be: its email is sent once its refund is known as well.
alter table credit_note add column ready_at timestamptz;
grant update (ready_at) on credit_note to fixpoint_app;

-- payment ---------------------------------------------------------------------------------------------------------
-- The part of the received amount that the gateway has lost again, as it reports now: a longer chain took the coins back.
alter table attempt add column gone bigint not null default 0 check (gone between 0 and received);

-- The gateway refunds nothing of the disputed payment, whatever becomes of the dispute.
alter table dispute add column blocks_refunds boolean not null default false;

-- Nobody was paid: the money that was due is written off.
alter table out_of_band_refund add column written_off boolean not null default false;
