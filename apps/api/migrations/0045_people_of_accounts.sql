-- expand
-- How many people work in each account of a user: who is alone is asked for no colleagues.
create or replace function own_customers() returns jsonb language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'role', m.role,
    'name', coalesce(c.display_name, d.details ->> 'name', c.email),
    'people', (select count(*) from membership other where other.customer_id = c.id)) order by m.since, c.id), '[]')
  from membership m join customer c on c.id = m.customer_id left join buyer_details d on d.customer_id = c.id
  where m.user_id = app_customer() and c.status = 'active'
$$;
