/**
 * Adds more to the rows of one purchase: an unapplied payment that was refunded, a partial credit note, two out-of-band
 * refunds, goodwill, an open dispute and a pending webhook event.
 */
export const goodRows = `
  insert into attempt (id, invoice_id, customer_id, attempt_no, method, gateway_customer_id, provider_ref, status, currency, amount,
    received, fee, unapplied, created_at, updated_at)
  select 'att_twice', invoice_id, customer_id, 2, method, gateway_customer_id, 'pi_twice', 'succeeded', currency, amount,
    received, 100, received, created_at, updated_at from attempt;
  insert into refund (id, attempt_id, customer_id, currency, amount, reason, status, provider_ref, created_at, updated_at)
  select 'ref_twice', id, customer_id, currency, unapplied, 'unapplied', 'succeeded', 're_twice', created_at, updated_at
  from attempt where id = 'att_twice';
  insert into receipt (attempt_id, customer_id, provider_ref, currency, amount, received_at)
  select id, customer_id, provider_ref, currency, received, updated_at from attempt where id = 'att_twice';
  insert into ledger_entry (txn, position, account, provider, currency, amount, created_at)
  select txn, position, account, 'stripe', currency, sign * money, updated_at from attempt cross join lateral (values
    ('unapplied:att_twice', 0, 'provider', 1, received), ('unapplied:att_twice', 1, 'refundsDue', -1, received),
    ('fee:att_twice', 0, 'fees', 1, fee), ('fee:att_twice', 1, 'provider', -1, fee),
    ('refund:ref_twice', 0, 'refundsDue', 1, received), ('refund:ref_twice', 1, 'provider', -1, received)
  ) entry (txn, position, account, sign, money) where attempt.id = 'att_twice';
  insert into attempt (id, invoice_id, customer_id, attempt_no, method, gateway_customer_id, provider_ref, status, currency, amount,
    received, unapplied, created_at, updated_at)
  select 'att_' || way, invoice_id, customer_id, no, way, gateway_customer_id, 'pi_' || way, 'succeeded', currency, amount,
    100, 100, created_at, updated_at from attempt, (values ('promptpay', 8), ('bitcoin', 9)) by_hand (way, no)
  where attempt_no = 1;
  insert into receipt (attempt_id, customer_id, provider_ref, currency, amount, received_at)
  select id, customer_id, provider_ref, currency, received, updated_at from attempt where attempt_no > 7;
  insert into refund (id, attempt_id, customer_id, currency, amount, reason, status, provider_ref, created_at, updated_at)
  select 'ref_hand', id, customer_id, currency, unapplied, 'unapplied', 'failed', 're_hand', created_at, updated_at
  from attempt where attempt_no = 8;
  insert into out_of_band_refund (id, invoice_id, customer_id, refund_id, currency, amount, reason, created_at)
  select attempt_no, invoice_id, customer_id, case attempt_no when 8 then 'ref_hand' end, currency, unapplied, 'bank', updated_at
  from attempt where attempt_no > 7;
  insert into ledger_entry (txn, position, account, provider, currency, amount, created_at)
  select txn, position, account, case when account <> 'outOfBand' then 'stripe' end, currency, entry.amount, updated_at
  from attempt cross join lateral (values
    ('unapplied:' || id, 0, 'provider', unapplied), ('unapplied:' || id, 1, 'refundsDue', -unapplied),
    ('by-hand:' || attempt_no, 0, 'refundsDue', unapplied), ('by-hand:' || attempt_no, 1, 'outOfBand', -unapplied)
  ) entry (txn, position, account, amount) where attempt_no > 7;
  insert into number_series values ('CN2026', 1);
  insert into credit_note (id, invoice_id, customer_id, series, serial, number, reason, currency, net, vat, vat_rate_bp, total,
    seller, language, issued_at)
  select 'crn_part', id, customer_id, 'CN2026', 1, 'CN2026-000001', 'goodwill', currency, 4673, 327, 700, 5000,
    seller, language, paid_at from invoice;
  insert into refund (id, attempt_id, customer_id, currency, amount, reason, credit_note_id, status, provider_ref, created_at,
    updated_at)
  select 'ref_part', id, customer_id, currency, 5000, 'staff', 'crn_part', 'succeeded', 're_part', created_at, updated_at
  from attempt where attempt_no = 1;
  insert into ledger_entry (txn, position, account, provider, currency, amount, created_at)
  select txn, position, account, case when account in ('provider', 'refundsDue') then 'stripe' end, currency, amount, issued_at
  from credit_note cross join (values
    ('credit-note:crn_part', 0, 'revenue', 4673), ('credit-note:crn_part', 1, 'vat', 327),
    ('credit-note:crn_part', 2, 'refundsDue', -5000),
    ('refund:ref_part', 0, 'refundsDue', 5000), ('refund:ref_part', 1, 'provider', -5000)
  ) entry (txn, position, account, amount);
  insert into ledger_entry (txn, position, account, provider, customer_id, currency, amount, created_at)
  select 'goodwill:1', position, account, null, case when account = 'credit' then id end, 'THB', amount, created_at
  from customer cross join (values (0, 'goodwill', 500), (1, 'credit', -500)) entry (position, account, amount);
  insert into account_credit (customer_id, currency, amount) select id, 'THB', 500 from customer;
  insert into goodwill (id, customer_id, currency, amount, reason, created_at)
  select '1', id, 'THB', 500, 'late', created_at from customer;
  insert into dispute (id, attempt_id, provider_ref, status, currency, amount, withdrawn, fee, reason, created_at, updated_at)
  select 'dsp_1', id, 'du_1', 'open', currency, 500, 500, 15, 'general', updated_at, updated_at
  from attempt where id = 'att_twice';
  insert into ledger_entry (txn, position, account, provider, currency, amount, created_at)
  select 'dispute:dsp_1:0', position, account, 'stripe', 'THB', entry.amount, updated_at from dispute cross join (values
    (0, 'disputed', 500), (1, 'fees', 15), (2, 'provider', -515)) entry (position, account, amount);
  insert into provider_event (provider, event_id, type, about, object_ref, moved, received_at)
  select 'stripe', 'evt_waits', 'payment_intent.succeeded', 'payment', 'pi_waits', true, updated_at from attempt where attempt_no = 1;
`;

/** Drops a constraint, because a fault bypasses it. */
const without = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint} cascade`;

/** Faults in the books, each with the invariant that must detect it. */
export const faults: readonly { breaks: string; fault: string; sql: string[] }[] = [
  {
    breaks: 'X11 numbers',
    fault: 'a missing number',
    sql: ["update invoice set serial = serial + 1, number = 'other'"],
  },
  {
    breaks: 'X11 numbers',
    fault: 'a counter that is ahead of the invoices',
    sql: ['update number_series set last = last + 1'],
  },
  {
    breaks: 'X11 numbers',
    fault: 'a gap that no restore explains',
    sql: ['update number_series set lost = 1'],
  },
  {
    breaks: 'X12 paid',
    fault: 'a paid invoice without a payment',
    sql: ["update attempt set status = 'open', received = 0 where attempt_no = 1"],
  },
  {
    breaks: 'X12 paid',
    fault: 'an unpaid invoice with a payment',
    sql: ["update invoice set status = 'open', number = null, serial = null, series = null, paid_at = null"],
  },
  {
    breaks: 'X12 paid',
    fault: 'an invoice paid in another currency',
    sql: ["update attempt set currency = 'USD' where attempt_no = 1"],
  },
  {
    breaks: 'X13 periods',
    fault: 'a period that is charged twice',
    sql: [
      'drop index invoice_one_per_period',
      `insert into invoice (id, customer_id, purpose, subscription_id, period_start, period_end, status, reference,
         currency, net, vat, total, buyer, seller, language, created_at, issued_at)
       select 'inv_' || n, customer_id, 'renewal', subscription_id, created_at, created_at + interval '1 month', 'open', n::text,
         currency, 0, 0, 0, buyer, seller, language, created_at, created_at from invoice cross join generate_series(1, 2) n`,
    ],
  },
  {
    breaks: 'X14 successes',
    fault: 'an invoice that two payments paid',
    sql: ['drop index attempt_one_success', 'update attempt set unapplied = 0'],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an unapplied payment that is not refunded',
    sql: ['delete from refund'],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an unapplied payment that is refunded in part',
    sql: ['update refund set amount = amount - 1'],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an unapplied bitcoin payment that never became credit',
    sql: [
      'delete from refund',
      "update attempt set method = 'bitcoin', updated_at = updated_at - interval '1 hour'",
      "update shop_order set fulfilled_at = fulfilled_at - interval '1 hour'",
    ],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an unapplied payment that is refunded and credited',
    sql: ['update invoice set credited = 1'],
  },
  {
    breaks: 'X15 receipts',
    fault: 'a payment that received more than its transfers',
    sql: ["update receipt set amount = amount - 1 where attempt_id = 'att_twice'"],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an unapplied payment that is refunded twice',
    sql: [
      'drop index refund_one_unapplied',
      `insert into refund (id, attempt_id, customer_id, currency, amount, reason, status, created_at, updated_at)
       select 'ref_again', attempt_id, customer_id, currency, amount, reason, 'created', created_at, updated_at from refund
       where id = 'ref_twice'`,
    ],
  },
  {
    breaks: 'X16 refunds',
    fault: 'a refund of more than its payment',
    sql: ['update refund set amount = amount + 1'],
  },
  {
    breaks: 'X15 unapplied',
    fault: 'an out-of-band refund of more than the unapplied payment',
    sql: ['update out_of_band_refund set amount = amount + 1 where refund_id is null'],
  },
  {
    breaks: 'X16 refunds',
    fault: 'a refund that succeeds after an out-of-band refund',
    sql: ["update refund set status = 'pending' where id = 'ref_hand'"],
  },
  {
    breaks: 'X16 refunds',
    fault: 'a refund in another currency',
    sql: ["update refund set currency = 'USD'"],
  },
  {
    breaks: 'M17 disputed',
    fault: 'a dispute whose money came back and is still disputed in the ledger',
    sql: ["update dispute set status = 'won', withdrawn = 0"],
  },
  {
    breaks: 'M17 written off',
    fault: 'a lost dispute that is neither credited nor written off',
    sql: ["update dispute set status = 'lost'"],
  },
  {
    breaks: 'X26 due',
    fault: 'a credit note of a lost dispute whose money is still due to the payer',
    sql: [
      "update dispute set status = 'lost'",
      "update credit_note set dispute_id = (select id from dispute) where id = 'crn_part'",
    ],
  },
  {
    breaks: 'X17 credited',
    fault: 'a credit note without a refund',
    sql: ["delete from refund where reason = 'staff'"],
  },
  {
    breaks: 'X17 credited',
    fault: 'a refund of a credit note that became credit',
    sql: ["update credit_note set credited = true where id = 'crn_part'"],
  },
  {
    breaks: 'X17 credited',
    fault: 'a refund of more than its credit note',
    sql: ["update refund set amount = amount + 1 where reason = 'staff'"],
  },
  {
    breaks: 'X18 credit notes',
    fault: 'credit notes over more than the invoice',
    sql: ['update credit_note set net = net + 1000000, total = total + 1000000'],
  },
  {
    breaks: 'X18 credit notes',
    fault: 'credit notes over more VAT than the invoice has',
    sql: ['update credit_note set vat = vat + 1000, net = net - 1000'],
  },
  {
    breaks: 'I4 credit notes',
    fault: 'a credit note that is not booked',
    sql: ["delete from ledger_entry where txn like 'credit-note:%'"],
  },
  {
    breaks: 'X22 VAT',
    fault: 'a line whose VAT is a satang off',
    sql: [
      'update invoice_line set vat = vat + 1, net = net - 1',
      'update invoice set vat = vat + 1, net = net - 1',
    ],
  },
  {
    breaks: 'X22 VAT',
    fault: 'an invoice of more than its lines',
    sql: ['update invoice set net = net + 1, total = total + 1'],
  },
  {
    breaks: 'M4 rate',
    fault: 'a document at another rate than its day has',
    sql: [
      `insert into vat_change (country, from_day, rate_bp) select 'TH', numbered_on, 1000 from invoice where numbered_on is not null`,
    ],
  },
  {
    breaks: 'M4 rate',
    fault: 'a credit note at another rate than its invoice',
    sql: ['update credit_note set vat_rate_bp = 1000'],
  },
  {
    breaks: 'M4 year',
    fault: 'a number of the year before its day',
    sql: ["update invoice set numbered_on = numbered_on + interval '1 year'"],
  },
  {
    breaks: 'X24 unknown',
    fault: 'an attempt that is not polled',
    sql: [
      `insert into attempt (id, invoice_id, customer_id, attempt_no, method, gateway_customer_id, status, currency, amount, created_at, updated_at)
       select 'att_lost', invoice_id, customer_id, 3, method, gateway_customer_id, 'created', currency, amount,
         created_at - interval '2 hours', updated_at from attempt where attempt_no = 1`,
    ],
  },
  {
    breaks: 'X27 closed',
    fault: 'an attempt that stays open for a paid invoice',
    sql: [
      `insert into attempt (id, invoice_id, customer_id, attempt_no, method, gateway_customer_id, provider_ref, status, currency, amount,
         created_at, updated_at)
       select 'att_open', invoice_id, customer_id, 3, method, gateway_customer_id, 'pi_open', 'open', currency, amount,
         created_at, updated_at - interval '2 hours' from attempt where attempt_no = 1`,
      "update invoice set paid_at = paid_at - interval '2 hours'",
      "update shop_order set expires_at = expires_at - interval '2 days'",
    ],
  },
  {
    breaks: 'X28 final',
    fault: 'a refund that is pending for two days',
    sql: ["update refund set status = 'pending', created_at = created_at - interval '2 days'"],
  },
  {
    breaks: 'I1 order',
    fault: 'a payment of an expired order',
    sql: ["update shop_order set status = 'expired'"],
  },
  {
    breaks: 'I1 order',
    fault: 'a delivered order that is not paid',
    sql: ["update invoice set status = 'open', number = null, serial = null, series = null, paid_at = null"],
  },
  {
    breaks: 'I1 order',
    fault: 'an invoice with another price than was shown',
    sql: ['update shop_order set price = price + 1, net = net + 1'],
  },
  {
    breaks: 'X19 zero',
    fault: 'a transaction of the ledger that lacks a side',
    sql: ["delete from ledger_entry where txn like 'paid:%' and account = 'vat'"],
  },
  {
    breaks: 'I4 revenue',
    fault: 'VAT that is booked as revenue and revenue as VAT',
    sql: [
      `update ledger_entry set account = case account when 'vat' then 'revenue' else 'vat' end where account in ('vat', 'revenue')`,
    ],
  },
  {
    breaks: 'I4 revenue',
    fault: 'a paid invoice that is not booked',
    sql: ["delete from ledger_entry where txn like 'paid:%'"],
  },
  {
    breaks: 'I4 revenue',
    fault: 'revenue of a missing invoice',
    sql: ["update ledger_entry set txn = 'paid:inv_nowhere' where txn like 'paid:%'"],
  },
  {
    breaks: 'X20 provider',
    fault: 'a refund that was never booked',
    sql: ["delete from ledger_entry where txn like 'refund:%'"],
  },
  {
    breaks: 'X20 exchange',
    fault: 'an exchange of a sale that is not ours',
    sql: [
      `insert into gateway_movement (provider, id, kind, category, source_ref, currency, amount, sold_currency, sold_amount, rate,
        moved_at, booked_at) values ('stripe', 'txn_1', 'payment', 'charge', 'pi_strange', 'USD', 100, 'THB', 3500, 0.028, now(), now())`,
    ],
  },
  {
    breaks: 'X20 fees',
    fault: 'a fee that was booked twice',
    sql: [
      `insert into ledger_entry select 'fee:again', position, account, provider, customer_id, currency, amount, created_at
       from ledger_entry where txn = 'fee:att_twice'`,
    ],
  },
  {
    breaks: 'X26 due',
    fault: 'a refund due that was cleared without a refund',
    sql: ["update refund set status = 'failed'"],
  },
  {
    breaks: 'X26 due',
    fault: 'a refund due that was cleared at another provider',
    sql: [
      "update ledger_entry set provider = 'btcpay' where txn = 'refund:ref_twice' and account = 'refundsDue'",
    ],
  },
  {
    breaks: 'X26 due',
    fault: 'a refund due that stays after an out-of-band refund',
    sql: ["delete from ledger_entry where txn = 'by-hand:8'"],
  },
  {
    breaks: 'X26 due',
    fault: 'bitcoin that stays due after an out-of-band refund',
    sql: ["delete from ledger_entry where txn = 'by-hand:9'"],
  },
  {
    breaks: 'X26 out-of-band',
    fault: 'an out-of-band refund that is not booked',
    sql: ["delete from ledger_entry where txn = 'by-hand:8'"],
  },
  {
    breaks: 'X26 out-of-band',
    fault: 'money that left the operator’s bank without an out-of-band refund',
    sql: [
      `insert into ledger_entry (txn, position, account, currency, amount, created_at) values
        ('lost', 0, 'outOfBand', 'THB', -100, now()), ('lost', 1, 'goodwill', 'THB', 100, now())`,
    ],
  },
  {
    breaks: 'X26 prorated',
    fault: 'a proration credit without its credit note',
    sql: ['update invoice set prorated = 100'],
  },
  {
    breaks: 'X26 prorated',
    fault: 'a credit note that pays an invoice without a proration credit',
    sql: ['update credit_note set credited = true, pays_invoice_id = invoice_id'],
  },
  {
    breaks: 'I2 replaced',
    fault: 'a replaced subscription that is still served',
    sql: ['update subscription set replaced_by = id'],
  },
  {
    breaks: 'X26 ended credit',
    fault: 'credit of an ended account that is refunded without a credit note behind it',
    sql: [
      `insert into ledger_entry (txn, position, account, provider, customer_id, currency, amount, created_at)
       select 'notes-ended:' || id, position, account, provider, case when account = 'credit' then customer_id end, 'THB',
         sign * 100, now() from attempt, (values (0, 'credit', null, 1), (1, 'refundsDue', 'stripe', -1))
         entry (position, account, provider, sign) where attempt_no = 1`,
      'update account_credit set amount = amount - 100',
    ],
  },
  {
    breaks: 'X29 reserved',
    fault: 'credit reserved for no invoice',
    sql: [
      `insert into ledger_entry (txn, position, account, currency, amount, created_at) values
        ('reserved:inv_nowhere', 0, 'goodwill', 'THB', 100, now()), ('reserved:inv_nowhere', 1, 'reserved', 'THB', -100, now())`,
    ],
  },
  {
    breaks: 'M17 goodwill',
    fault: 'goodwill that is not booked',
    sql: ["update goodwill set id = '2'"],
  },
  {
    breaks: 'M17 goodwill',
    fault: 'goodwill of more than is booked',
    sql: ['update goodwill set amount = amount + 1'],
  },
  {
    breaks: 'X29 credit',
    fault: 'credit that is not in the ledger',
    sql: ['update account_credit set amount = amount + 1'],
  },
  {
    breaks: 'X29 credit',
    fault: 'negative credit',
    sql: [
      without('account_credit', 'account_credit_amount_check'),
      'update account_credit set amount = amount - 1000',
      "update ledger_entry set amount = amount + 1000 where account = 'credit'",
    ],
  },
  {
    breaks: 'X21 paid service',
    fault: 'unpaid service',
    sql: ["update invoice set status = 'open', number = null, serial = null, series = null, paid_at = null"],
  },
  {
    breaks: 'X21 overlap',
    fault: 'overlapping periods',
    sql: [
      `insert into subscription_period select subscription_id, customer_id, starts_at + interval '1 day',
         ends_at + interval '1 day', 'inv_other', worth from subscription_period`,
    ],
  },
  {
    breaks: 'X21 given',
    fault: 'a paid invoice without a period',
    sql: ['delete from subscription_period'],
  },
  {
    breaks: 'I2 active',
    fault: 'service for longer than its period',
    sql: ["update subscription set period_end = period_end + interval '1 day'"],
  },
  {
    breaks: 'I3 delivered',
    fault: 'a delivered order without a subscription',
    sql: ['delete from subscription'],
  },
  {
    breaks: 'I3 delivered',
    fault: 'a subscription whose order was not delivered',
    sql: ["update shop_order set status = 'paid'"],
  },
  {
    breaks: 'I5 settled',
    fault: 'a paid order that is not delivered',
    sql: ["update shop_order set status = 'paid', paid_at = paid_at - interval '1 hour'"],
  },
  {
    breaks: 'I5 settled',
    fault: 'an order that stays open after its expiry',
    sql: ["update shop_order set status = 'awaitingPayment', expires_at = created_at - interval '1 hour'"],
  },
  {
    breaks: 'I6 keys',
    fault: 'more keys than the plan allows',
    sql: [
      'update subscription set devices = 1',
      'update vpn_key set deleted_at = null, name = id, address = 9 where deleted_at is not null',
    ],
  },
  {
    breaks: 'I6 keys',
    fault: 'a deleted key with a valid certificate',
    sql: ['update certificate set revoked = false'],
  },
  {
    breaks: 'I6 ports',
    fault: 'a forwarded port of a plan without one',
    sql: [
      'update subscription set port_forward = false',
      'update vpn_key set forwarded_port = 8080 where id in (select min(id) from vpn_key where deleted_at is null)',
    ],
  },
  {
    breaks: 'I9 sessions',
    fault: 'an active session of an ended account',
    sql: ["update customer set status = 'disabled'"],
  },
  {
    breaks: 'I11 history',
    fault: 'a forbidden transition',
    sql: [
      "update subscription_history set to_status = 'pastDue'",
      "update subscription set status = 'pastDue'",
    ],
  },
  {
    breaks: 'I11 history',
    fault: 'a state without a transition',
    sql: ["update subscription set status = 'expired'"],
  },
  {
    breaks: 'I12 address',
    fault: 'service without an address',
    sql: ['update static_ip set subscription_id = null, customer_id = null'],
  },
  {
    breaks: 'I12 address',
    fault: 'one address bound twice',
    sql: [
      `update static_ip set subscription_id = 'sub_other', customer_id = 'cus_other',
         bind_address = (select bind_address from static_ip where subscription_id is not null limit 1)
       where address = (select max(address) from static_ip)`,
    ],
  },
  {
    breaks: 'X23 notices',
    fault: 'a webhook event that is not processed',
    sql: [
      "update provider_event set received_at = received_at - interval '1 hour' where event_id = 'evt_waits'",
    ],
  },
  {
    breaks: 'I8 dead jobs',
    fault: 'a dead job without an alert',
    sql: [
      `insert into pgboss.job (name, state, created_on) values ('dead', 'created', now() - interval '1 hour')`,
    ],
  },
];
