-- expand
-- A customer's own name for a subscription.

-- subscription ----------------------------------------------------------------------------------------------------
alter table subscription add column label text check (char_length(label) between 1 and 60);
grant update (label) on subscription to fixpoint_customer;

-- text ------------------------------------------------------------------------------------------------------------
-- A customer's search for a place reads its name in their language. Every visitor is served these texts.
grant select on text_override to fixpoint_customer;
