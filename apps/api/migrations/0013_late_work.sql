-- expand
-- When the last reminder of the next renewal was sent: one that was late postpones the charge.

-- subscription ----------------------------------------------------------------------------------------------------
alter table subscription add column reminded_at timestamptz;
