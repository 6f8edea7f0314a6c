-- expand
-- Whose the devices of a customer are, for its owners and buyers, who see no row of another user.

-- account ---------------------------------------------------------------------------------------------------------
create function people_of_customer() returns table (id text, email text, name text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select app_user.id, app_user.email, app_user.name
  from membership join app_user on app_user.id = membership.user_id
  where membership.customer_id = app_customer()
$$;
grant execute on function people_of_customer() to fixpoint_customer;
