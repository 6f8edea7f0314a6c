import type { Size, Step } from './size.ts';

/** Payments: each sale by one card; one of 200 is 1 baht too high and refunded; one of five of these refunds is out of band. */
export const payments = ({ customers }: Size): Step[] => [
  {
    table: 'gateway_customer',
    sql: `insert into gateway_customer (id, customer_id, provider, provider_ref, tries, created_at)
      select id('pay', n), id('cus', n), 'stripe', 'cus_' || n, 1, ago(n, 700) from generate_series(1, ${customers}) n
      union all
      select id('gpay', n), null, 'stripe', 'cus_g' || n, 1, ago(n, 400) from generate_series(1, ${customers / 10}) n`,
  },
  {
    table: 'saved_method',
    sql: `insert into saved_method (id, customer_id, method, gateway_customer_id, provider_ref, fingerprint, brand, last4,
        expiry_month, expiry_year, holder, is_default, created_at)
      select id('met', n), id('cus', n), 'card', id('pay', n), 'pm_' || n, 'fp_' || n, 'visa', '4242', 12, 2034,
        'Buyer ' || n, true, ago(n, 700)
      from generate_series(1, ${customers}) n where n % 5 > 0 and n % 20 <> 17`,
  },
  {
    table: 'attempt',
    sql: `insert into attempt (id, invoice_id, customer_id, attempt_no, method, gateway_customer_id, provider_ref, status, version,
        tries, currency, amount, received, unapplied, fee, created_at, updated_at)
      select attempt_id, invoice_id, customer_id, 1, 'card', gateway_customer_id, 'pi_' || n, 'succeeded', 3, 1, 'THB', price,
        price + over.unapplied, over.unapplied, price / 30, paid_at, paid_at
      from sale, lateral (select case when n % 200 = 7 then 100 else 0 end as unapplied) over
      union all
      select id('gatt', n), id('ginv', n), null, 1, 'card', id('gpay', n), 'pi_g' || n, 'closed', 2, 1, 'THB', price, 0, 0, null,
        paid_at, paid_at from sale where n <= ${customers / 10}`,
  },
  {
    table: 'receipt',
    sql: `insert into receipt (attempt_id, customer_id, provider_ref, currency, amount, received_at)
      select id, customer_id, provider_ref, currency, received, updated_at from attempt where status = 'succeeded'`,
  },
  {
    table: 'refund',
    sql: `insert into refund (id, attempt_id, customer_id, currency, amount, reason, status, version, tries, provider_ref,
        created_at, updated_at)
      select id('ref', n), attempt_id, customer_id, 'THB', 100, 'unapplied', case when n % 1000 = 7 then 'failed' else 'succeeded' end,
        2, 1, 're_' || n, paid_at, paid_at
      from sale where n % 200 = 7`,
  },
  {
    table: 'out_of_band_refund',
    sql: `insert into out_of_band_refund (id, invoice_id, customer_id, refund_id, currency, amount, reason, created_at)
      select n, invoice_id, customer_id, id('ref', n), 'THB', 100, 'bank', paid_at from sale where n % 1000 = 7`,
  },
  {
    table: 'ledger_entry',
    sql: `insert into ledger_entry (txn, position, account, provider, currency, amount, created_at)
      select txn, position, account, provider, 'THB', amount, paid_at from sale, lateral (values
        ('paid:' || invoice_id, 0, 'provider', 'stripe', price), ('paid:' || invoice_id, 1, 'revenue', null, -net),
        ('paid:' || invoice_id, 2, 'vat', null, -vat),
        ('fee:' || attempt_id, 0, 'fees', 'stripe', price / 30), ('fee:' || attempt_id, 1, 'provider', 'stripe', -(price / 30))
      ) entry (txn, position, account, provider, amount)
      union all
      select entry.txn, position, entry.account, case when entry.account <> 'outOfBand' then 'stripe' end, 'THB', amount, paid_at
      from sale, lateral (select case when n % 1000 = 7 then 'by-hand:' || n else 'refund:' || id('ref', n) end as txn,
        case when n % 1000 = 7 then 'outOfBand' else 'provider' end as account) back, lateral (values
        ('unapplied:' || attempt_id, 0, 'provider', 100), ('unapplied:' || attempt_id, 1, 'refundsDue', -100),
        (back.txn, 0, 'refundsDue', 100), (back.txn, 1, back.account, -100)
      ) entry (txn, position, account, amount) where n % 200 = 7`,
  },
  {
    table: 'goodwill',
    sql: `insert into goodwill (id, customer_id, currency, amount, reason, created_at)
      select n, id('cus', n), 'THB', 5000, 'late', ago(n, 300) from generate_series(1, ${customers / 100}) n`,
  },
  {
    table: 'ledger_entry',
    sql: `insert into ledger_entry (txn, position, account, customer_id, currency, amount, created_at)
      select 'goodwill:' || n, position, account, case account when 'credit' then id('cus', n) end, 'THB', amount, ago(n, 300)
      from generate_series(1, ${customers / 100}) n,
        lateral (values (0, 'goodwill', 5000), (1, 'credit', -5000)) entry (position, account, amount)`,
  },
  {
    table: 'provider_event',
    sql: `insert into provider_event (provider, event_id, type, about, object_ref, own_id, moved, received_at,
        processed_at)
      select 'stripe', 'evt_' || n || '_' || k, (array['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'])[k],
        'payment', 'pi_' || n, attempt_id, k = 3, paid_at, paid_at from sale, generate_series(1, 3) k`,
  },
];
