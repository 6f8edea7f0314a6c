-- expand
-- The list beside the backups names all deleted accounts.

-- account ---------------------------------------------------------------------------------------------------------
create index customer_deleted on customer (id) where status = 'deleted';
