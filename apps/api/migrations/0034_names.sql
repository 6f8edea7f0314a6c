-- expand
-- What a user and an account are called.

-- account ---------------------------------------------------------------------------------------------------------
alter table app_user add column name text;
alter table customer add column display_name text;
grant update (display_name) on customer to fixpoint_customer;
-- A customer's call reads and writes the name of its founder, and nothing else of any user.
alter table app_user enable row level security;
create policy own on app_user to fixpoint_customer using (id = app_customer());
create policy work on app_user to fixpoint_app using (true);
grant select (id, name), update (name) on app_user to fixpoint_customer;
