import type { Invariant } from './invariant.ts';

/** Invariants between the ledger and the tables that it books. */
export const ledgerInvariants: readonly Invariant[] = [
  {
    name: 'X19 zero',
    sentence: 'Every transaction of the ledger sums to zero in each currency.',
    sql: `
      select txn, currency, sum(amount) from ledger_entry group by txn, currency having sum(amount) <> 0`,
  },
  {
    name: 'I4 revenue',
    sentence: 'Every paid invoice is booked once, net as revenue and VAT as VAT; no other invoice is booked.',
    sql: `
      select coalesce(invoice.id, booked.invoice_id) as invoice, invoice.status, net, vat, booked.revenue, booked.tax
      from invoice full join (
        select substr(txn, 6) as invoice_id, currency,
          -coalesce(sum(amount) filter (where account = 'revenue'), 0) as revenue,
          -coalesce(sum(amount) filter (where account = 'vat'), 0) as tax
        from ledger_entry where txn like 'paid:%' group by txn, currency
      ) booked on booked.invoice_id = invoice.id
      where case when invoice.status = 'paid'
        then (coalesce(booked.currency, invoice.currency), coalesce(revenue, 0), coalesce(tax, 0))
          is distinct from (invoice.currency, net, vat)
        else booked.invoice_id is not null end`,
  },
  {
    name: 'I4 credit notes',
    sentence: 'Every credit note is booked once, net against revenue and VAT against VAT.',
    sql: `
      select coalesce(credit_note.id, booked.note_id) as note, net, vat, booked.revenue, booked.tax
      from credit_note full join (
        select substr(txn, 13) as note_id, currency,
          coalesce(sum(amount) filter (where account = 'revenue'), 0) as revenue,
          coalesce(sum(amount) filter (where account = 'vat'), 0) as tax
        from ledger_entry where txn like 'credit-note:%' group by txn, currency
      ) booked on booked.note_id = credit_note.id
      where (booked.currency, revenue, tax) is distinct from (credit_note.currency, net, vat)`,
  },
  {
    name: 'X20 provider',
    sentence: 'The balance of a provider is the received payments less fees, refunds and disputed money.',
    sql: `
      select provider, currency, sum(booked) as booked, sum(moved) as moved from (
        select provider, currency, amount as booked, 0 as moved from ledger_entry where account = 'provider'
        union all
        select provider, attempt.currency, 0, received - coalesce(fee, 0) from attempt
          join gateway_customer on gateway_customer.id = attempt.gateway_customer_id where attempt.status = 'succeeded'
        union all
        select provider, refund.currency, 0, -refund.amount from refund
          join attempt on attempt.id = refund.attempt_id join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
          where refund.status = 'succeeded'
        union all
        select provider, dispute.currency, 0, -withdrawn - dispute.fee from dispute
          join attempt on attempt.id = dispute.attempt_id join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
      ) movement
      group by provider, currency having sum(booked) <> sum(moved)`,
  },
  {
    name: 'X20 exchange',
    sentence: 'Every converted movement that is booked belongs to a payment, refund or dispute of ours.',
    sql: `
      select movement.provider, id, kind, source_ref, currency, amount, sold_currency, sold_amount
      from gateway_movement movement
      where sold_currency is not null and not case kind
        when 'payment' then exists (select from attempt where status = 'succeeded' and provider_ref = source_ref)
          or exists (select from attempt where status = 'succeeded' and charge_ref = source_ref)
        when 'refund' then exists (select from refund where provider_ref = source_ref)
        else exists (select from dispute where provider_ref = source_ref) end`,
  },
  {
    name: 'X20 fees',
    sentence: 'The fees in the ledger are the sum of those of payments and disputes.',
    sql: `
      select provider, currency, sum(booked) as booked, sum(charged) as charged from (
        select provider, currency, amount as booked, 0 as charged from ledger_entry where account = 'fees'
        union all
        select provider, attempt.currency, 0, fee from attempt join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
          where attempt.status = 'succeeded' and fee is not null
        union all
        select provider, dispute.currency, 0, dispute.fee from dispute
          join attempt on attempt.id = dispute.attempt_id join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
      ) charge
      group by provider, currency having sum(booked) <> sum(charged)`,
  },
  {
    name: 'M17 disputed',
    sentence: 'Disputed money in the ledger is what providers withdrew for disputes that are not lost.',
    sql: `
      select currency, sum(booked) as booked, sum(withdrawn) as withdrawn from (
        select currency, amount as booked, 0 as withdrawn from ledger_entry where account = 'disputed'
        union all
        select currency, 0, withdrawn from dispute where status <> 'lost'
      ) both_sides
      group by currency having sum(booked) <> sum(withdrawn)`,
  },
  {
    name: 'M17 written off',
    sentence:
      'Money is written off exactly when a dispute took it and it was neither due to the payer nor their credit, or by staff.',
    sql: `
      select currency, sum(booked) as booked, sum(lost) as lost from (
        select currency, amount as booked, 0 as lost from ledger_entry where account = 'writeOff'
        union all
        select currency, 0, withdrawn - credit_taken from dispute where status = 'lost'
        union all
        select credit_note.currency, 0, -total from credit_note
          join dispute on dispute.id = credit_note.dispute_id where dispute.status = 'lost'
        union all
        select refund.currency, 0, -refund.amount from refund
          join dispute on dispute.id = refund.dispute_id where dispute.status = 'lost'
        union all
        select currency, 0, -amount from out_of_band_refund where written_off
      ) both_sides
      group by currency having sum(booked) <> sum(lost)`,
  },
  {
    name: 'X26 due',
    sentence:
      'Refunds due, per provider, are unapplied payments and credit notes, less refunds (out-of-band ones included), credit, money applied later or to another invoice, lost disputes, and rests that payers owe.',
    sql: `
      with paid as not materialized (
        select attempt.id, invoice_id, attempt.currency, provider, received, unapplied
        from attempt join gateway_customer on gateway_customer.id = attempt.gateway_customer_id where attempt.status = 'succeeded'
      )
      select provider, currency, sum(booked) as booked, sum(due) as due from (
        select provider, currency, -amount as booked, 0 as due from ledger_entry where account = 'refundsDue'
        union all
        select provider, currency, 0, unapplied from paid where unapplied <> 0
        union all
        select coalesce(by_dispute.provider, by_money.provider), note.currency, 0, note.total from credit_note note
          left join dispute on dispute.id = note.dispute_id left join paid by_dispute on by_dispute.id = dispute.attempt_id
          left join paid by_money on by_money.invoice_id = note.invoice_id and by_money.unapplied < by_money.received
          where not note.credited
        union all
        select paid.provider, ended.currency, 0, ended.amount from ledger_entry ended
          join paid on ended.txn = 'notes-ended:' || paid.id where ended.account = 'credit'
        union all
        select null, currency, 0, total from credit_note where pays_invoice_id is not null
        union all
        select null, currency, 0, -prorated from invoice where status = 'paid' and prorated > 0
        union all
        -- What payers owe: rests that a later invoice collects.
        select null, currency, 0, carried_in + carried_ended - carried_out from invoice
          where status = 'paid' and (carried_out > 0 or carried_in > 0)
        union all
        select (
          select provider from attempt join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
          where invoice_id = invoice.id and attempt.status = 'succeeded' and unapplied > 0
          order by attempt.method <> 'bitcoin' limit 1
        ), currency, 0, -gone from (
          select id, currency, credited + case when status = 'paid' then prepaid else 0 end as gone
            from invoice where credited > 0 or prepaid > 0
          union all
          select invoice_id, currency, amount from out_of_band_refund where refund_id is null
        ) invoice
        union all
        select provider, out_of_band.currency, 0, -out_of_band.amount from out_of_band_refund out_of_band
          join refund on refund.id = refund_id join paid on paid.id = refund.attempt_id
        union all
        select provider, refund.currency, 0, -refund.amount from refund join paid on paid.id = refund.attempt_id
          left join dispute on dispute.id = refund.dispute_id and dispute.status = 'lost'
          where refund.status = 'succeeded' or dispute.id is not null
        union all
        select provider, note.currency, 0, -total from credit_note note
          join dispute on dispute.id = note.dispute_id join paid on paid.id = dispute.attempt_id where dispute.status = 'lost'
      ) both_sides
      group by provider, currency having sum(booked) <> sum(due)`,
  },
  {
    name: 'X26 out-of-band',
    sentence:
      'Every out-of-band refund or write-off is booked once, against refunds due and the operator’s own bank or write-offs; nothing else leaves that bank.',
    sql: `
      select coalesce(out_of_band.booked_as, txn) as out_of_band, out_of_band.amount, booked.due, booked.gone
      from (
        select *, case when written_off then 'written-off:' else 'by-hand:' end || id as booked_as from out_of_band_refund
      ) out_of_band full join (
        select txn, currency, sum(amount) filter (where account = 'refundsDue') as due,
          -sum(amount) filter (where account in ('outOfBand', 'writeOff')) as gone
        from ledger_entry where txn like 'by-hand:%' or txn like 'written-off:%' or account = 'outOfBand' group by txn, currency
      ) booked on booked.txn = out_of_band.booked_as
      where (booked.currency, due, gone) is distinct from (out_of_band.currency, out_of_band.amount, out_of_band.amount)`,
  },
  {
    name: 'X26 prorated',
    sentence:
      'A proration credit that pays an invoice has a credit note of the same amount once the order is delivered.',
    sql: `
      select invoice.id, invoice.prorated, sum(note.total) as noted
      from invoice left join shop_order on shop_order.id = order_id
      left join credit_note note on note.pays_invoice_id = invoice.id
      where invoice.id in (select id from invoice where prorated > 0
        union all select pays_invoice_id from credit_note where pays_invoice_id is not null)
      group by invoice.id, shop_order.status
      having coalesce(sum(note.total), 0)
        <> case when shop_order.status in ('fulfilled', 'refunded') then invoice.prorated else 0 end`,
  },
  {
    name: 'X26 ended credit',
    sentence:
      'Of credit notes that became credit, the end of an account refunds at most their amount, by the payment of their invoice.',
    sql: `
      select attempt.id, ended.amount, sum(refund.amount) as goes_back, noted.total
      from ledger_entry ended left join attempt on ended.txn = 'notes-ended:' || attempt.id
      left join refund on refund.attempt_id = attempt.id and refund.reason = 'unapplied' and (refund.status <> 'failed'
        or not exists (select from refund again
          where again.attempt_id = refund.attempt_id and again.created_at > refund.created_at))
      left join lateral (select sum(total) as total from credit_note note
        where note.invoice_id = attempt.invoice_id and credited and pays_invoice_id is null) noted on true
      where ended.txn like 'notes-ended:%' and ended.account = 'credit'
      group by attempt.id, ended.amount, noted.total
      having ended.amount is distinct from sum(refund.amount) or ended.amount > coalesce(noted.total, 0)`,
  },
  {
    name: 'X29 reserved',
    sentence: 'Reserved credit is what open invoices will use.',
    sql: `
      select currency, sum(booked) as booked, sum(set_aside) as set_aside from (
        select currency, -amount as booked, 0 as set_aside from ledger_entry where account = 'reserved'
        union all
        select currency, 0, credit_used from invoice where status in ('draft', 'open') and credit_used > 0
      ) both_sides
      group by currency having sum(booked) <> sum(set_aside)`,
  },
  {
    name: 'M17 goodwill',
    sentence: 'Every goodwill credit is booked once, as a cost and as credit of its customer.',
    sql: `
      select coalesce('goodwill:' || goodwill.id, txn) as given, goodwill.amount, booked.cost, booked.credit
      from goodwill full join (
        select txn, currency, max(customer_id) as customer_id,
          sum(amount) filter (where account = 'goodwill') as cost,
          -sum(amount) filter (where account = 'credit') as credit
        from ledger_entry where txn like 'goodwill:%' group by txn, currency
      ) booked on booked.txn = 'goodwill:' || goodwill.id
      where (booked.customer_id, booked.currency, cost, credit)
        is distinct from (goodwill.customer_id, goodwill.currency, goodwill.amount, goodwill.amount)`,
  },
  {
    name: 'X29 credit',
    sentence: 'The credit of a customer is never negative and equals the ledger.',
    sql: `
      select customer_id, currency, shown, booked from (
        select customer_id, currency, sum(shown) as shown, sum(booked) as booked from (
          select customer_id, currency, amount as shown, 0 as booked from account_credit
          union all
          select customer_id, currency, 0, -amount from ledger_entry where account = 'credit'
        ) both_sides group by customer_id, currency
      ) credit where shown <> booked or shown < 0`,
  },
];
