-- Who may do what (docs/generated/rights.md shows the outcome, docs/decisions/0010 why). Three roles log in:
-- `fixpoint_owner` owns everything here and runs the migrations; `fixpoint_app` does the shop's own work; `fixpoint_customer`
-- answers a customer's call and sees the rows of the customer in `app.customer`, on the columns that a call needs.
-- A new table has no rights until a migration gives them, and a customer_id wants a policy: a test says so.
do $$ begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to fixpoint_app, fixpoint_customer', current_database());
end $$;
revoke all on schema public from public;
grant usage on schema public to fixpoint_app, fixpoint_customer;
revoke execute on all functions in schema public from public;
alter default privileges revoke execute on functions from public;

-- Whose call is answered; nobody's outside of one. Written so that the planner puts it in place of its call, and looks
-- a customer's rows up by their index.
create function app_customer() returns text language sql stable parallel safe
  return current_setting('app.customer', true);
grant execute on function app_customer() to fixpoint_customer;

-- Rows: the application all, a customer his own. A row without an owner is nobody's.
do $$ declare owned text; begin
  for owned in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'customer_id' and not a.attisdropped
  loop
    execute format('alter table %I enable row level security', owned);
    execute format('create policy own on %I to fixpoint_customer using (customer_id = app_customer())', owned);
    execute format('create policy work on %I to fixpoint_app using (true)', owned);
  end loop;
end $$;
alter table customer enable row level security;
create policy own on customer to fixpoint_customer using (id = app_customer());
create policy work on customer to fixpoint_app using (true);

-- A customer may ask for a letter of his own and for nothing else: whatever stands here runs with the application's rights.
drop policy own on job_request;
create policy own on job_request for insert to fixpoint_customer with check (
  customer_id = app_customer() and (
    (name = 'sendMail' and data ->> 'customerId' = customer_id) or
    (name = 'sendCode' and exists (select from challenge where id = data ->> 'challengeId'))
  )
);

-- Credit follows the ledger and is written by nobody else.
alter function ledger_credit() security definer set search_path = public, pg_temp;

-- The application --------------------------------------------------------------------------------------------------
-- What was booked, told or numbered is never taken back.
grant select, insert on ledger_entry, subscription_history, subscription_period, credit_note, document, goodwill,
  hand_payback, usage_notice to fixpoint_app;
-- Once the legal time of an erased buyer's invoice is over: what was printed, what was written by hand.
grant delete on document to fixpoint_app;
grant update (reason) on credit_note, goodwill, hand_payback to fixpoint_app;
-- A guest's becomes that of his account.
grant update (customer_id) on hand_payback to fixpoint_app;
-- What an upgrade has the rest of a period paid at, and where one is cut that its customer has withdrawn from.
grant update (worth, upgraded_at, starts_at, ends_at) on subscription_period to fixpoint_app;
grant select on account_credit to fixpoint_app;
-- Kept for ever, under a pseudonym once an account is erased.
grant select, insert, update on
  customer, subscription, invoice, number_series, attempt, receipt, refund, dispute, provider_event, vpn_key, host,
  host_authority
  to fixpoint_app;
-- And what providers told as long as the invoices.
grant delete on provider_event to fixpoint_app;
-- Made once, and changed by the operator's command.
grant select, insert, update on master_key to fixpoint_app;
-- Sold things are switched off, not deleted: orders name them.
grant select, insert, update on plan, provider, vendor, region, offer, product to fixpoint_app;
grant select, insert, update, delete on
  plan_price, vat_rate, setting, text_override, attention, reconciliation,
  cancellation, session, link_token, challenge, totp, recovery_code, passkey, ceremony, limit_count, kept_answer,
  shop_order, invoice_line, payer, saved_method, card_saving,
  certificate, address_pool, static_ip, subscription_identity, assignment, host_change, ended_machine, key_rate, key_usage,
  key_usage_day
  to fixpoint_app;
grant select, update on shop_clock to fixpoint_app;
grant select, insert on paypal_certificate, foreign_money to fixpoint_app;
-- Written once, gone once it is done.
grant select, insert, delete on method_to_forget to fixpoint_app;
-- Taken by locking: that wants the right to change a row.
grant select, update, delete on job_request to fixpoint_app;

-- A customer -------------------------------------------------------------------------------------------------------
-- What he buys, and where.
grant select on plan, plan_price, provider, vendor, region, offer, product, vat_rate to fixpoint_customer;
-- Whether his host answers.
grant select (id, seen_at) on host to fixpoint_customer;

-- His account: language and password, where he is logged in, how he proves who he is. No token of a session.
grant select, update (language, password_hash) on customer to fixpoint_customer;
grant select (id, customer_id, rotated_at, idle_expires_at, expires_at, ended_at, browser, system, created_at, confirmed_at),
  update (ended_at, confirmed_at) on session to fixpoint_customer;
grant select (customer_id, used_at), update (used_at) on link_token to fixpoint_customer;
grant select, insert, update (tries, used_at, grant_hash, grant_expires_at) on challenge to fixpoint_customer;
grant select, insert, update (secret_sealed, confirmed_at, last_step), delete on totp to fixpoint_customer;
grant select, insert, delete on recovery_code, ceremony to fixpoint_customer;
grant select, insert, update (counter, last_used_on), delete on passkey to fixpoint_customer;

-- What he ordered and paid: to read.
grant select on invoice, invoice_line, credit_note, document, goodwill, subscription_period, attempt, refund, hand_payback,
  saved_method, account_credit to fixpoint_customer;
-- Not the hashes that open an order to whoever knows what they are of.
grant select (id, status, version, category, product_id, subscription_id, upgrade, replacement, currency, price, net, vat, vat_rate_bp, renewal, first_year,
  customer_id, email, language, terms_version, payment_method, failure, created_at, expires_at, paid_at, fulfilled_at)
  on shop_order to fixpoint_customer;

-- His subscription's devices, their rates and their use. The version only to lock it: no row is locked without a column
-- to write, and this one changes nothing.
grant select, update (version) on subscription to fixpoint_customer;
grant select, insert, update (deleted_at, link_hash, link_expires_at, tell_at) on vpn_key to fixpoint_customer;
grant select, insert, update (revoked) on certificate to fixpoint_customer;
grant select, insert, update (rate_mbit), delete on key_rate to fixpoint_customer;
grant select on key_usage, key_usage_day, static_ip, subscription_identity, subscription_history
  to fixpoint_customer;
-- Not the key of its server.
grant select (id, subscription_id, customer_id, host_id, slot, status, address, server_not_after) on assignment
  to fixpoint_customer;
-- Which ports his address answers on.
grant select (id, port, tcp_port, prefix, prefix6) on address_pool to fixpoint_customer;

-- What has to follow is done by the application.
grant insert (host_id, subscription_id, customer_id) on host_change to fixpoint_customer;
grant insert (customer_id, name, data) on job_request to fixpoint_customer;
