-- expand
-- The devices of the calling user at all customers, with their use, for the export of the user's data: a user's call sees no row of
-- a customer that somebody else founded.

-- account ---------------------------------------------------------------------------------------------------------
create function devices_of_user(without_own boolean) returns jsonb language sql stable security definer
  set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('customer', k.customer_id, 'subscription', k.subscription_id, 'name', k.name,
    'label', k.label, 'device', k.device, 'forwardedPort', k.forwarded_port, 'createdAt', k.created_at,
    'usage', (select coalesce(jsonb_agg(jsonb_build_object('month', month, 'downBytes', down_bytes, 'upBytes', up_bytes)
      order by month), '[]') from key_usage where key_id = k.id),
    'days', (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'downBytes', down, 'upBytes', up) order by day), '[]')
      from (select day, sum(down_bytes) as down, sum(up_bytes) as up from key_usage_day where key_id = k.id group by day) each_day)
  ) order by k.created_at, k.id), '[]')
  from vpn_key k
  where k.deleted_at is null and (k.user_id = app_customer() or (k.user_id is null and k.customer_id = app_customer()))
    and not (without_own and k.customer_id = app_customer())
$$;
grant execute on function devices_of_user(boolean) to fixpoint_customer;
