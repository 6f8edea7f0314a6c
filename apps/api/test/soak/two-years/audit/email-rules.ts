import type { Expected, Facts, Payer } from './facts.ts';
import { endsSoon, refusals, reminders, requests, type Sleep } from './renewal-emails.ts';

/**
 * `attached`: each, or some of them, bring a document; `byNumber`: what is attached says what it is about, not its subject.
 */
type Rule = { pattern: RegExp; expected: Expected; attached?: 'each' | 'some'; byNumber?: true };

const times = (n: number, most = n): Expected => new Map([['', { least: n, most }]]);
const each = (names: readonly string[]): Expected =>
  new Map(names.map(name => [name, { least: 1, most: 1 }]));

/** Every email that an account can get in the two years, with how often it must. */
export function emailRules(facts: Facts, payer: Payer, sleep: Sleep): Rule[] {
  const { customerId } = payer;
  const own = <T extends { customer_id: string }>(rows: readonly T[]) =>
    rows.filter(({ customer_id }) => customer_id === customerId);
  const subscriptions = own(facts.subscriptions);
  const ids = new Set(subscriptions.map(({ id }) => id));
  const steps = facts.steps.filter(({ subscription_id }) => ids.has(subscription_id));
  const did = (command: string) => steps.filter(one => one.command === command).length;
  const invoices = own(facts.invoices);
  const paid = invoices.filter(({ status }) => status === 'paid');
  const notes = own(facts.notes);
  const attempts = own(facts.attempts);
  const refunds = own(facts.refunds);
  // Too little pays a part of its invoice, and becomes credit only if that is never paid.
  const unapplied = attempts.filter(one => one.unapplied > 0 && one.received >= one.amount).length;
  /** Whoever paid with coins or a QR code has to say where the money goes. */
  const isAskedOf = ({ attempt_id }: { attempt_id: string }) =>
    /bitcoin|promptpay/.test(attempts.find(({ id }) => id === attempt_id)!.method);
  const paysByCard = attempts.some(({ method }) => method === 'card');
  const isActive = facts.customers.find(({ id }) => id === customerId)!.status === 'active';
  const again = facts.periods.filter(
    one => ids.has(one.subscription_id) && isOf(facts, one.invoice_id, 'reactivation'),
  ).length;
  return [
    { pattern: /^Your \w+ password has been set$/, expected: times(1) },
    { pattern: /^New login to /, expected: times(0, 9) },
    { pattern: /^Your VPN is ready: /, expected: times(subscriptions.length), attached: 'some' },
    { pattern: /^Your \w+ plan is running again$/, expected: times(again) },
    {
      // The receipt of a purchase comes with the email that the VPN is ready, unless that took longer than a minute.
      pattern: /^Receipt: |^\d+ receipts, |^Your VPN is ready: /,
      expected: each(paid.map(({ number }) => number!)),
      attached: 'some',
      byNumber: true,
    },
    {
      // The note of a change that was paid too late has no email: its credit stays where it was.
      pattern: /^(?:Your refund: credit note|Credit note) (.+)$/,
      expected: each(notes.filter(one => one.pays_invoice_id !== one.invoice_id).map(({ number }) => number)),
      attached: 'each',
    },
    {
      pattern: /^.+ is now credit in your account$/,
      expected: times(
        own(facts.goodwill).length + (isActive ? unapplied : 0),
        own(facts.goodwill).length + unapplied,
      ),
    },
    {
      pattern: /^Your refund of [^:]+$/,
      expected: times(refunds.filter(one => one.reason === 'unapplied' && !isAskedOf(one)).length),
    },
    {
      pattern: /^Your refund of .+: one step left for you$/,
      expected: times(refunds.filter(isAskedOf).length),
    },
    {
      pattern: /^.+ of your payment is missing$/,
      expected: times(attempts.filter(one => one.received > 0 && one.received < one.amount).length),
    },
    { pattern: /^Your \w+ plan is cancelled$/, expected: times(did('cancel')) },
    { pattern: /^Renewal of your \w+ plan is on again$/, expected: times(did('resume')) },
    { pattern: /^You’ve withdrawn from the contract/, expected: times(did('withdraw')) },
    { pattern: /^The \w+ plan begins on /, expected: times(did('planDowngrade')) },
    { pattern: /^Your \w+ plan has ended$/, expected: times(did('expire') + did('retire')) },
    { pattern: /^Your \w+ account is (?:deleted|disabled)$/, expected: times(isActive ? 0 : 1) },
    {
      pattern: /^We keep \S+ for you only until /,
      expected: times(0, steps.filter(one => one.to_status === 'expired').length),
    },
    { pattern: /^Your card expires before your next payment$/, expected: times(0, paysByCard ? 2 : 0) },
    { pattern: /^VAT on your \w+ plan changes on /, expected: vatNotices(facts, ids) },
    {
      pattern: /^Your \w+ plan (?:renews on|is paid until) (.+)$/,
      expected: reminders(facts, payer, ids, sleep),
    },
    { pattern: /^Your \w+ plan ends on (.+)$/, expected: endsSoon(facts, ids) },
    {
      pattern: /^(?:Tomorrow|Last day|(?:Overdue, )?\d+ days? left): please pay ([A-Z]{3}.[\d,.]+) for /,
      expected: requests(facts, payer, ids, sleep),
      attached: 'each',
    },
    { pattern: /^We couldn’t charge ([A-Z]{3}.[\d,.]+) for /, expected: refusals(facts, ids) },
  ];
}

const isOf = ({ invoices }: Facts, invoiceId: string, purpose: string) =>
  invoices.find(({ id }) => id === invoiceId)!.purpose === purpose;

/** One to each subscription that renews at another rate of VAT than it was paid at before; who does not renew may be told. */
function vatNotices({ periods, invoices, lines }: Facts, ids: ReadonlySet<string>): Expected {
  const rateOf = new Map(lines.map(({ invoice_id, vat_rate_bp }) => [invoice_id, vat_rate_bp]));
  const purposeOf = new Map(invoices.map(({ id, purpose }) => [id, purpose]));
  let [least, most] = [0, 0];
  for (const [id, own] of Map.groupBy(periods, ({ subscription_id }) => subscription_id)) {
    if (!ids.has(id)) continue;
    most += 1;
    const changes = own.some(
      ({ invoice_id }, index) =>
        index > 0 &&
        purposeOf.get(invoice_id) === 'renewal' &&
        rateOf.get(invoice_id) !== rateOf.get(own[index - 1]!.invoice_id),
    );
    if (changes) least += 1;
  }
  return new Map([['', { least, most }]]);
}
