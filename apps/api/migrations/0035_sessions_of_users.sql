-- expand
-- Sessions of other users than the founder of a customer, which 0054 allows.

-- account ---------------------------------------------------------------------------------------------------------
-- The rows of a log-in are the user's, whichever customer they are working for.
alter policy own on session using (coalesce(user_id, customer_id) = app_customer());

-- The customers of the calling user, whose rows a customer's call does not see.
create function own_customers() returns jsonb language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'role', m.role,
    'name', coalesce(c.display_name, d.details ->> 'name', c.email)) order by m.since, c.id), '[]')
  from membership m join customer c on c.id = m.customer_id left join buyer_details d on d.customer_id = c.id
  where m.user_id = app_customer() and c.status = 'active'
$$;
grant execute on function own_customers() to fixpoint_customer;
