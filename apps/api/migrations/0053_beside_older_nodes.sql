-- expand
-- What a version without users cannot read is refused while it may run; 0054 allows it. Such a version would take a colleague's
-- session for the founder's, what a founder left for a log-in, and answer an order to an address of before with a new account.

-- account ---------------------------------------------------------------------------------------------------------
create function refuse_beside_older_nodes() returns trigger language plpgsql as $$
begin
  raise exception 'Nodes of an older version may run, and could not read this. Stop them, and try again two minutes later.'
    using errcode = 'OLDER';
end $$;
create trigger colleague_beside_older_nodes before insert on membership
  for each row when (new.user_id <> new.customer_id) execute function refuse_beside_older_nodes();
create trigger address_beside_older_nodes before insert on challenge
  for each row when (new.purpose = 'changeEmail') execute function refuse_beside_older_nodes();
create trigger address_beside_older_nodes before insert on email_change
  for each row execute function refuse_beside_older_nodes();
