import type { Facts } from './audit/facts.ts';

const HOUR_MS = 60 * 60_000;

/** The latest paid renewal that a gateway has received money for, with its line, attempt and movement. */
function paidRenewal(facts: Facts) {
  const invoice = facts.invoices.findLast(
    one =>
      one.purpose === 'renewal' && facts.attempts.some(by => by.invoice_id === one.id && by.received > 0),
  )!;
  const line = facts.lines.find(one => one.invoice_id === invoice.id)!;
  const attempt = facts.attempts.find(one => one.invoice_id === invoice.id && one.received > 0)!;
  const movement = facts.movements.find(one => one.attempt === attempt.id)!;
  return { invoice, line, attempt, movement };
}

/** Faults each of which the audit must find, so that it does not pass because it looks at nothing. */
export const WRONG: Record<string, (facts: Facts) => void> = {
  'a hundredth too much, which the gateway took'(facts) {
    const { invoice, line, attempt, movement } = paidRenewal(facts);
    for (const row of [invoice, line]) {
      row.total += 1;
      row.net += 1;
    }
    attempt.received += 1;
    movement.amount += 1;
  },
  'a hundredth of VAT that became net'(facts) {
    const { invoice, line } = paidRenewal(facts);
    for (const row of [invoice, line]) {
      row.vat -= 1;
      row.net += 1;
    }
  },
  'a number that is missing'(facts) {
    const { invoice } = paidRenewal(facts);
    invoice.serial! += 1;
  },
  'an hour less than a period'({ periods }) {
    periods[0]!.ends_at = new Date(periods[0]!.ends_at.getTime() - HOUR_MS);
  },
  'a paid period that nobody got'({ periods }) {
    periods.pop();
  },
  'a payment that the shop does not know'({ movements }) {
    movements.push({ ...movements[0]!, attempt: 'att_unknown' });
  },
  'a refund that nobody asked for'({ movements }) {
    movements.push({ ...movements[0]!, kind: 'refund', amount: -1 });
  },
  'credit from nowhere'({ credit }) {
    credit[0]!.amount += 1;
  },
  'a booking of a hundredth'({ ledger }) {
    ledger[0]!.amount += 1;
  },
  'an email that came twice'({ emails }) {
    emails.push(emails.find(({ subject }) => /^Receipt: /.test(subject))!);
  },
  'a reminder that never came'({ emails }) {
    emails.splice(
      emails.findIndex(({ subject }) => / renews on /.test(subject)),
      1,
    );
  },
};
