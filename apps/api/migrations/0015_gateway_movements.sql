-- expand
-- What a gateway moves besides payments, refunds and disputes of this shop, and what it exchanges.

-- books -----------------------------------------------------------------------------------------------------------
-- Movements of a gateway's balance, in the currency that it settles in. A sale is kept where the gateway has converted it:
-- every other one is what its attempt, refund or dispute says.
create table gateway_movement (
  provider text not null check (provider in ('stripe', 'paypal', 'btcpay')),
  id text not null,
  kind text not null check (kind in
    ('payment', 'refund', 'dispute', 'payout', 'payoutReturned', 'topUp', 'bill', 'adjustment', 'reserve', 'exchange')),
  -- The gateway's own word for the kind.
  category text not null,
  -- The gateway's name of the payment, refund, dispute or payout.
  source_ref text,
  currency text not null,
  -- Effect on the balance, after fees.
  amount bigint not null,
  -- Same effect in the currency of the sale, and the rate of the exchange.
  sold_currency text,
  sold_amount bigint,
  rate double precision check (rate > 0),
  description text,
  -- Bank account of a payout, as the gateway names it.
  destination text,
  moved_at timestamptz not null,
  booked_at timestamptz not null,
  -- When staff found a payout on the bank's statement.
  arrived_at timestamptz,
  primary key (provider, id),
  check ((kind in ('payment', 'refund', 'dispute')) = (sold_currency is not null)),
  check ((sold_currency is null) = (sold_amount is null) and (sold_currency is null) = (rate is null)),
  check (arrived_at is null or kind = 'payout')
);
create index gateway_movement_payout on gateway_movement (provider, destination) where kind = 'payout';
create index gateway_movement_booked on gateway_movement (provider, booked_at);
-- What was booked never changes, except for the tick.
grant select, insert, update (arrived_at) on gateway_movement to fixpoint_app;

-- Each movement is a transaction: between the gateway's balance (`settled`) and the account of its kind.
create view movement_entry with (security_invoker = true) as
  select 'movement:' || provider || ':' || id as txn, account, provider, entry.currency, entry.amount, booked_at as created_at
  from gateway_movement cross join lateral (
    select 'settled' as account, currency, gateway_movement.amount
    union all
    select case kind when 'bill' then 'gatewayBills' when 'adjustment' then 'adjustments' when 'reserve' then 'reserve'
      when 'payout' then 'bank' when 'payoutReturned' then 'bank' when 'topUp' then 'bank' else 'exchange' end, currency, -gateway_movement.amount
    union all
    select 'settled', sold_currency, -sold_amount where sold_currency is not null
    union all
    select 'exchange', sold_currency, sold_amount where sold_currency is not null
  ) entry (account, currency, amount);
grant select on movement_entry to fixpoint_app;

-- When payments of the last day are next looked for, whichever book they are missing in; null: at once.
alter table reconciliation add column payments_due_at timestamptz;
