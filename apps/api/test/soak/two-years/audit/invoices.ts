import { dayIn, daysIn } from './calendar.ts';
import type { CreditNote, Facts, Invoice, Line, Period } from './facts.ts';
import { type Currency, listPrice, type Months, type Plan, WHOLE } from './prices.ts';

/** The two rates of VAT, and the Bangkok day of the second one. */
export type Vat = { before: number; after: number; day: string };

const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
const halfUp = (amount: number, currency: string) => {
  const unit = WHOLE.includes(currency) ? 100 : 1;
  return Math.floor(amount / unit + 0.5) * unit;
};
/** VAT in a gross amount, rounded half-up; a line that takes off mirrors one that adds. */
const vatIn = (gross: number, rateBp: number) =>
  Math.sign(gross) * Math.floor((Math.abs(gross) * rateBp) / (10_000 + rateBp) + 0.5);

const planOf = (productId: string) => productId.split('-')[0] as Plan;
const monthsOf = (productId: string) => Number(/-(\d+)m-/.exec(productId)![1]) as Months;

/** Faults of invoices and credit notes: prices, VAT, sums, numbers, and what paid them. */
export function invoiceFaults(facts: Facts, vat: Vat): string[] {
  const lines = Map.groupBy(facts.lines, ({ invoice_id }) => invoice_id);
  const faults: string[] = [];
  for (const invoice of facts.invoices) {
    const own = lines.get(invoice.id) ?? [];
    if (invoice.status === 'paid')
      faults.push(...priceFaults(facts, invoice, own), ...taxFaults(invoice, own, vat));
    faults.push(...sumFaults(invoice, own));
  }
  return [...faults, ...noteFaults(facts), ...numberFaults(facts)];
}

function sumFaults({ reference, net, vat, total }: Invoice, lines: readonly Line[]): string[] {
  const all = (key: 'net' | 'vat' | 'total') => sum(lines.map(line => line[key]));
  const right = all('net') === net && all('vat') === vat && all('total') === total && net + vat === total;
  return right && lines.length > 0 ? [] : [`${reference}: lines do not add up to ${total}`];
}

/** The rate is that of the Bangkok day of the payment. */
function taxFaults(invoice: Invoice, lines: readonly Line[], { before, after, day }: Vat): string[] {
  const paidOn = dayIn(invoice.paid_at!);
  const rate = paidOn < day ? before : after;
  const wrong = lines.filter(
    line =>
      line.vat_rate_bp !== rate || line.vat !== vatIn(line.total, rate) || line.net !== line.total - line.vat,
  );
  const faults = wrong.map(line => `${invoice.number}: VAT ${line.vat} of ${line.total}, paid on ${paidOn}`);
  return invoice.numbered_on === paidOn
    ? faults
    : [...faults, `${invoice.number}: dated ${invoice.numbered_on}`];
}

/** Plan of a subscription at an instant: of its first order, of each paid upgrade, of each cheaper plan that has begun. */
function planAt(facts: Facts, subscriptionId: string, at: Date): Plan {
  const { first_product_id } = facts.subscriptions.find(({ id }) => id === subscriptionId)!;
  const upgrades = facts.invoices
    .filter(
      one => one.subscription_id === subscriptionId && one.purpose === 'upgrade' && one.status === 'paid',
    )
    .map(({ paid_at, product_id }) => ({ from: paid_at!, plan: planOf(product_id!) }));
  const downgrades = facts.downgrades
    .filter(one => one.subscriptionId === subscriptionId)
    .map(({ plan, at: chosen }) => ({ from: paidUntil(facts, subscriptionId, chosen), plan: plan as Plan }));
  const changes = [...upgrades, ...downgrades]
    .filter(({ from }) => from.getTime() <= at.getTime())
    .sort((one, other) => one.from.getTime() - other.from.getTime());
  return changes.at(-1)?.plan ?? planOf(first_product_id);
}

/** End of the last period that is paid at an instant, after which a cheaper plan begins. */
const paidUntil = (facts: Facts, subscriptionId: string, at: Date): Date =>
  facts.periods.findLast(one => one.subscription_id === subscriptionId && isPaidBy(facts, one, at))!.ends_at;

function priceFaults(facts: Facts, invoice: Invoice, lines: readonly Line[]): string[] {
  const asked = expectedLines(facts, invoice);
  const billed = lines.map(({ total }) => total);
  return JSON.stringify(billed) === JSON.stringify(asked)
    ? []
    : [`${invoice.number} (${invoice.purpose}): billed ${billed}, not ${asked}`];
}

/** Gross amounts of the lines that an invoice must have, by the price list and the days. */
function expectedLines(facts: Facts, invoice: Invoice): number[] {
  const currency = invoice.currency as Currency;
  const { purpose, product_id, subscription_id } = invoice;
  if (purpose === 'purchase' || purpose === 'reactivation')
    return [listPrice(planOf(product_id!), monthsOf(product_id!), currency, 'first')];
  const subscription = facts.subscriptions.find(({ id }) => id === subscription_id)!;
  const months = subscription.cycle_count as Months;
  if (purpose === 'renewal')
    return [listPrice(planAt(facts, subscription.id, invoice.period_start!), months, currency, 'later')];
  return upgradeLines(facts, invoice, months);
}

/** An upgrade charges the remaining days on the other plan, and takes off what was paid for them. */
function upgradeLines(facts: Facts, invoice: Invoice, months: Months): number[] {
  const currency = invoice.currency as Currency;
  const now = invoice.created_at;
  const before = new Date(now.getTime() - 1);
  const paid = facts.periods.filter(
    one => one.subscription_id === invoice.subscription_id && one.ends_at > now && isPaidBy(facts, one, now),
  );
  const share = (amount: number, period: Period) => {
    const { all, left } = daysIn(period, now);
    return halfUp((amount * Math.min(all, left)) / all, currency);
  };
  const which = (period: Period) => (isFirst(facts, period) ? 'first' : 'later');
  const price = sum(
    paid.map(one => share(listPrice(planOf(invoice.product_id!), months, currency, which(one)), one)),
  );
  const old = planAt(facts, invoice.subscription_id!, before);
  const unused = sum(paid.map(one => share(listPrice(old, months, currency, which(one)), one)));
  return [price, -Math.min(price, unused)];
}

const isPaidBy = ({ invoices }: Facts, { invoice_id }: Period, now: Date) =>
  invoices.find(({ id }) => id === invoice_id)!.paid_at! <= now;
const isFirst = ({ invoices }: Facts, { invoice_id }: Period) =>
  invoices.find(({ id }) => id === invoice_id)!.purpose !== 'renewal';

/** Notes take off no more than was invoiced, at the rate of their invoice. */
function noteFaults({ notes, invoices, lines }: Facts): string[] {
  const faults: string[] = [];
  for (const [invoiceId, own] of Map.groupBy(notes, ({ invoice_id }) => invoice_id)) {
    const invoice = invoices.find(({ id }) => id === invoiceId)!;
    const rate = lines.find(({ invoice_id }) => invoice_id === invoiceId)!.vat_rate_bp;
    const taken = sum(own.map(({ total }) => total));
    if (invoice.status !== 'paid')
      faults.push(`${own[0]!.number}: of ${invoice.reference}, which is not paid`);
    if (taken > invoice.total) faults.push(`${invoice.number}: ${taken} of ${invoice.total} taken off`);
    for (const note of own)
      if (isWrongNote(note, invoice, rate)) faults.push(`${note.number}: VAT or currency`);
    const [net, tax] = [sum(own.map(({ net }) => net)), sum(own.map(({ vat }) => vat))];
    if (taken === invoice.total && (net !== invoice.net || tax !== invoice.vat))
      faults.push(`${invoice.number}: all is taken off, and not its VAT`);
  }
  return faults;
}

/** A note may differ by a hundredth from its own VAT, so that all notes together have that of the invoice. */
const isWrongNote = (note: CreditNote, { currency }: Invoice, rate: number) =>
  note.currency !== currency ||
  note.vat_rate_bp !== rate ||
  note.net + note.vat !== note.total ||
  Math.abs(note.vat - vatIn(note.total, rate)) > 1;

/** Numbers run without a gap in each year of Bangkok, in the order of their days. */
function numberFaults({ invoices, notes }: Facts): string[] {
  const given = [
    ...invoices.filter(({ number }) => number !== null).map(one => ({ ...one, at: one.paid_at! })),
    ...notes.map(one => ({ ...one, at: one.issued_at })),
  ];
  const faults: string[] = [];
  for (const [series, all] of Map.groupBy(given, one => one.series!)) {
    const ordered = [...all].sort((one, other) => one.serial! - other.serial!);
    for (const [index, one] of ordered.entries()) {
      if (one.serial !== index + 1) faults.push(`${series}: ${one.serial} after ${index}`);
      if (!series.endsWith(dayIn(one.at).slice(0, 4))) faults.push(`${one.number}: of ${dayIn(one.at)}`);
      const earlier = ordered[index - 1];
      if (earlier && earlier.at > one.at) faults.push(`${one.number}: before ${earlier.number}`);
    }
  }
  return faults;
}
