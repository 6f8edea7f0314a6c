import type { Invariant } from './invariant.ts';

/** Invariants of invoices, payments and refunds. */
export const moneyInvariants: readonly Invariant[] = [
  {
    name: 'X11 numbers',
    sentence: 'A series has every number from 1 to its counter, except those that a restored backup lost.',
    sql: `
      select series, min(serial) as first, max(serial) as last, count(serial) as numbers, number_series.last as counter, lost
      from (select series, serial from invoice union all select series, serial from credit_note
        union all select series, serial from invoice_replacement) numbered
      full join number_series using (series)
      where series is not null
      group by series, number_series.last, lost
      having count(serial) + coalesce(lost, 0) is distinct from number_series.last
        or min(serial) < 1 or max(serial) > number_series.last`,
  },
  {
    name: 'X12 paid',
    sentence: 'An invoice is paid exactly when the applied payments equal its amount due, in its currency.',
    sql: `
      select invoice.id, invoice.status, invoice.currency, total - credit_used - prepaid - prorated - carried_out + carried_in as due,
        sum(received - unapplied) as counted
      from invoice left join attempt on attempt.invoice_id = invoice.id and attempt.status = 'succeeded'
      group by invoice.id
      having coalesce(sum(received - unapplied) filter (where attempt.currency = invoice.currency), 0)
          <> case when invoice.status = 'paid' then total - credit_used - prepaid - prorated - carried_out + carried_in else 0 end
        or bool_or(attempt.currency <> invoice.currency and received > unapplied)`,
  },
  {
    name: 'X13 periods',
    sentence: 'A subscription has one invoice per period, not counting void ones.',
    sql: `
      select subscription_id, period_start, count(*) as invoices from invoice
      where status <> 'void' and period_start is not null
      group by subscription_id, period_start having count(*) > 1`,
  },
  {
    name: 'X14 successes',
    sentence: 'An invoice is paid by at most one payment; all others are unapplied.',
    sql: `
      select invoice_id, count(*) as payments from attempt
      where status = 'succeeded' and unapplied < received
      group by invoice_id having count(*) > 1`,
  },
  {
    name: 'X15 unapplied',
    sentence:
      'Every unapplied payment is refunded, refunded out-of-band, credited, or applied to its invoice later.',
    sql: `
      with back as (
        select attempt_id, sum(amount) as amount from refund where reason = 'unapplied'
          -- Ended credit of credit notes was no unapplied payment.
          and not exists (select from ledger_entry where txn = 'notes-ended:' || attempt_id)
          and not (status = 'failed' and exists (
            select from refund again where again.attempt_id = refund.attempt_id and again.created_at > refund.created_at))
        group by attempt_id
      ), paid_back as (
        -- Out-of-band refunds of a failed refund are counted with that refund.
        select invoice_id, sum(amount) as by_hand from out_of_band_refund where refund_id is null group by invoice_id
      )
      select id, status, beyond, goes_back, coalesce(by_hand, 0) as by_hand, credited, prepaid
      from (
        select invoice_id, sum(unapplied) as beyond, coalesce(sum(back.amount), 0) as goes_back,
          bool_and(method = 'bitcoin') as to_be_credited, max(updated_at) as newest
        from attempt left join back on back.attempt_id = attempt.id group by invoice_id
      ) unapplied
      join invoice on invoice.id = unapplied.invoice_id
      left join paid_back on paid_back.invoice_id = invoice.id,
      lateral (select goes_back + coalesce(by_hand, 0) + credited + prepaid as settled) as sums
      where beyond <> settled
        -- Bitcoin becomes credit within minutes after the order is over.
        and not (to_be_credited and beyond > settled and (
          newest > $1::timestamptz - interval '10 minutes'
          or exists (select from shop_order where id = order_id and (status in ('awaitingPayment', 'failed', 'paid')
            or coalesce(fulfilled_at, expires_at) > $1::timestamptz - interval '10 minutes'))
          or exists (select from open_alert where kind = 'payment.unapplied' and subject = invoice.id)))`,
  },
  {
    name: 'X15 receipts',
    sentence: 'The received amount of a payment is the sum of its receipts, in its currency.',
    sql: `
      select attempt.id, received, sum(receipt.amount) as transferred from attempt
      left join receipt on receipt.attempt_id = attempt.id
      group by attempt.id
      having coalesce(sum(receipt.amount), 0) <> received or bool_or(receipt.currency <> attempt.currency)`,
  },
  {
    name: 'X16 refunds',
    sentence: 'Refunds of a payment, out-of-band ones included, never exceed it and have its currency.',
    sql: `
      select attempt.id, attempt.currency, received, sum(back.amount) as goes_back
      from attempt join (
        select attempt_id, currency, amount from refund where status <> 'failed'
        union all
        select attempt_id, out_of_band.currency, out_of_band.amount from out_of_band_refund out_of_band
          join refund on refund.id = refund_id
      ) back on back.attempt_id = attempt.id
      group by attempt.id
      having sum(back.amount) > received or bool_or(back.currency <> attempt.currency)`,
  },
  {
    name: 'X17 credited',
    sentence: 'Every credit note is refunded once in full, unless it became credit or belongs to a dispute.',
    sql: `
      select credit_note.id, credit_note.currency, total, sum(refund.amount) as goes_back
      from credit_note left join refund on refund.credit_note_id = credit_note.id and (refund.status <> 'failed'
        or not exists (select from refund again
          where again.credit_note_id = refund.credit_note_id and again.created_at > refund.created_at))
      where credit_note.dispute_id is null
      group by credit_note.id
      having coalesce(sum(refund.amount), 0) <> case when credited then 0 else total end or bool_or(refund.currency <> credit_note.currency)`,
  },
  {
    name: 'X18 credit notes',
    sentence: 'The credit notes of an invoice never exceed its net or its VAT.',
    sql: `
      select invoice.id, invoice.status, invoice.net, invoice.vat, sum(note.net) as noted_net, sum(note.vat) as noted_vat
      from invoice join credit_note note on note.invoice_id = invoice.id
      group by invoice.id
      having sum(note.net) > invoice.net or sum(note.vat) > invoice.vat or invoice.status <> 'paid'
        or bool_or(note.currency <> invoice.currency)`,
  },
  {
    name: 'X22 VAT',
    sentence:
      'The VAT of a line is contained in its total, rounded half up; an invoice has the sums of its lines.',
    sql: `
      select invoice.id, invoice.net, invoice.vat, invoice.total, sum(line.net) as lines_net, sum(line.vat) as lines_vat
      from invoice left join invoice_line line on line.invoice_id = invoice.id
      group by invoice.id
      having (sum(line.net), sum(line.vat), sum(line.total)) is distinct from (invoice.net, invoice.vat, invoice.total)
        or bool_or(line.vat <> floor((2 * line.total * line.vat_rate_bp + 10000 + line.vat_rate_bp)
             / (2.0 * (10000 + line.vat_rate_bp))))`,
  },
  {
    name: 'M4 rate',
    sentence:
      "Every line has the rate of VAT of the day of its invoice's number in the seller's country, unless credit notes reverse the invoice; a credit note has the rate of its invoice.",
    sql: `
      select invoice.id, invoice.number, numbered_on, vat_rate_bp,
        vat_rate_on(seller ->> 'country', numbered_on) as rate_of_its_day
      from invoice join invoice_line line on line.invoice_id = invoice.id
      where numbered_on is not null and vat_rate_bp <> vat_rate_on(seller ->> 'country', numbered_on)
        and invoice.total <> (select coalesce(sum(note.total), 0) from credit_note note where note.invoice_id = invoice.id)
      union all
      select note.id, note.number, numbered_on, vat_rate_bp, null from credit_note note
      where not exists (select from invoice_line line
        where line.invoice_id = note.invoice_id and line.vat_rate_bp = note.vat_rate_bp)`,
  },
  {
    name: 'M4 year',
    sentence: 'A number has the year of its day.',
    sql: `
      select id, number, numbered_on from invoice where right(series, 4) <> to_char(numbered_on, 'YYYY')
      union all
      select id, number, numbered_on from credit_note where right(series, 4) <> to_char(numbered_on, 'YYYY')`,
  },
  {
    name: 'X24 unknown',
    sentence:
      'Within an hour the shop knows of every attempt whether the provider has it, or an alert is open.',
    sql: `
      select id, invoice_id, method, tries, created_at from attempt
      where status = 'created' and created_at < $1::timestamptz - interval '1 hour'
        and not exists (select from open_alert where kind = 'attempt.unknown' and subject = attempt.id)`,
  },
  {
    name: 'X27 closed',
    sentence: 'No attempt stays open for an invoice that is paid or void.',
    sql: `
      select attempt.id, attempt.status, invoice.id as invoice_id, invoice.status as invoice_status
      from attempt join invoice on invoice.id = attempt.invoice_id left join shop_order on shop_order.id = invoice.order_id
      where attempt.status in ('created', 'open', 'processing', 'failed')
        and invoice.status not in ('draft', 'open')
        and greatest(attempt.updated_at, invoice.paid_at, shop_order.expires_at) < $1::timestamptz - interval '1 hour'`,
  },
  {
    name: 'X28 final',
    sentence: 'Every refund is final within a day, or an alert is open.',
    sql: `
      select id, attempt_id, status, currency, amount, created_at from refund
      where status in ('created', 'pending') and created_at < $1::timestamptz - interval '1 day'
        and not exists (select from open_alert where kind = 'refund.unfinished' and subject = refund.id)`,
  },
  {
    name: 'I1 order',
    sentence: 'An order is paid exactly when its invoice is, and the invoice has the price that was shown.',
    sql: `
      select shop_order.id, shop_order.status, invoice.status as invoice_status, price, total
      from shop_order left join invoice on invoice.order_id = shop_order.id
      where (shop_order.status in ('paid', 'fulfilled', 'refunded')) <> coalesce(invoice.status = 'paid', false)
        or (price, shop_order.currency) <> (total, invoice.currency)`,
  },
];
