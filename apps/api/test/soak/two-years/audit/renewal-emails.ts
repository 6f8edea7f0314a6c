import { dayInEnglish, monthsAfter } from './calendar.ts';
import type { Expected } from './email-rules.ts';
import type { Facts, Invoice, Payer, Period, Step } from './facts.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Between these instants no worker runs. */
export type Sleep = { from: Date; until: Date };

/** Days before the end of a period on which its customer is reminded: of a charge, and of an invoice to pay. */
const REMINDED: Record<number, { charged: readonly number[]; asked: readonly number[] }> = {
  1: { charged: [3], asked: [] },
  3: { charged: [7], asked: [] },
  6: { charged: [7], asked: [] },
  12: { charged: [30, 7], asked: [30] },
};

const add = (all: Expected, about: string, least: number, most = least) => {
  const before = all.get(about) ?? { least: 0, most: 0 };
  all.set(about, { least: before.least + least, most: before.most + most });
};
const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * DAY_MS);
const isAsked = ({ asked }: Payer, at: Date) => asked !== undefined && asked <= at;

/** Whether a subscription runs and renews at an instant, by its history. */
function stateAt(steps: readonly Step[], at: Date): { runs: boolean; renews: boolean } {
  let [runs, renews] = [false, true];
  for (const { command, to_status } of steps.filter(one => one.at <= at)) {
    runs = to_status === 'active' || to_status === 'pastDue';
    if (command === 'cancel' || command === 'replace') renews = false;
    if (command === 'resume' || command === 'reactivate') renews = true;
  }
  return { runs, renews };
}

/** The periods of these subscriptions, as long as they were before a withdrawal or replacement cut them. */
function* wholePeriods(facts: Facts, ids: ReadonlySet<string>) {
  for (const subscription of facts.subscriptions.filter(({ id }) => ids.has(id))) {
    const steps = facts.steps.filter(({ subscription_id }) => subscription_id === subscription.id);
    const periods = facts.periods.filter(({ subscription_id }) => subscription_id === subscription.id);
    for (const [index, { ...period }] of periods.entries()) {
      const isCut = steps.some(
        ({ command, at }) => /^(withdraw|retire)$/.test(command) && at.getTime() === period.ends_at.getTime(),
      );
      if (isCut) period.ends_at = monthsAfter(period.starts_at, subscription.cycle_count);
      yield { subscription, steps, period, next: periods[index + 1] };
    }
  }
}
const paidAt = ({ invoices }: Facts, period: Period | undefined) =>
  period && invoices.find(({ id }) => id === period.invoice_id)!.paid_at!;

/** Reminders by the day that they name. Around the sleep a charge is announced again, for the day on which it is made. */
export function reminders(facts: Facts, payer: Payer, ids: ReadonlySet<string>, sleep: Sleep): Expected {
  const all: Expected = new Map();
  for (const { subscription, steps, period, next } of wholePeriods(facts, ids)) {
    const paid = paidAt(facts, next);
    const { charged, asked } = REMINDED[subscription.cycle_count]!;
    const days = isAsked(payer, daysBefore(period.ends_at, 7)) ? asked : charged;
    for (const before of days) {
      const at = daysBefore(period.ends_at, before);
      if (at < period.starts_at || (paid && paid <= at)) continue;
      const { runs, renews } = stateAt(steps, at);
      if (!runs || !renews || at > facts.until) continue;
      const isLate = at > sleep.from && at < sleep.until;
      if (!isLate) add(all, dayInEnglish(period.ends_at), 1);
      else add(all, lateDay(period, sleep), 0, 1);
    }
    // A charge that was announced before the sleep, and not made.
    if (
      daysBefore(period.ends_at, 1) > sleep.from &&
      period.starts_at < sleep.from &&
      period.ends_at < sleep.until
    )
      add(all, lateDay(period, sleep), 0, 1);
  }
  return all;
}

/** The day that a late reminder names: a day later, or that of the renewal, whichever comes last. */
function lateDay({ ends_at }: Period, { until }: Sleep): string {
  const charged = new Date(until.getTime() + DAY_MS);
  return dayInEnglish(charged > daysBefore(ends_at, 1) ? charged : ends_at);
}

/** A week before a cancelled subscription ends. */
export function endsSoon(facts: Facts, ids: ReadonlySet<string>): Expected {
  const all: Expected = new Map();
  for (const { steps, period, next } of wholePeriods(facts, ids)) {
    const at = daysBefore(period.ends_at, 7);
    if (at > facts.until) continue;
    const { runs, renews } = stateAt(steps, at);
    const isReplaced = steps.some(({ command }) => command === 'replace');
    const late = stateAt(steps, period.ends_at);
    if (runs && !renews && !isReplaced && at >= period.starts_at) add(all, dayInEnglish(period.ends_at), 1);
    else if (!late.renews && !next && !isReplaced) add(all, dayInEnglish(period.ends_at), 0, 1);
  }
  return all;
}

/** Amount due as an email names it. @param came what had come for it by then */
const money = (invoice: Invoice, came = invoice.prepaid) => {
  const { currency, total, credit_used, prorated, carried_in, carried_out } = invoice;
  const due = total - credit_used - came - prorated + carried_in - carried_out;
  const [whole, cents] = [Math.floor(due / 100), String(due % 100).padStart(2, '0')];
  return `${currency}\u00a0${String(whole).replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
};

const renewalsOf = ({ invoices }: Facts, ids: ReadonlySet<string>) =>
  invoices.filter(
    one =>
      one.purpose === 'renewal' &&
      one.subscription_id !== null &&
      ids.has(one.subscription_id) &&
      one.issued_at,
  );

/**
 * Requests to pay by their amount: with the invoice a week before, a day before, at the end, two and four days later; where a
 * late worker opened it in the last day or after it, one, three and five days later.
 */
export function requests(facts: Facts, payer: Payer, ids: ReadonlySet<string>, sleep: Sleep): Expected {
  const all: Expected = new Map();
  for (const invoice of renewalsOf(facts, ids)) {
    const issued = invoice.issued_at!;
    if (!isAsked(payer, issued)) continue;
    const before = facts.periods.findLast(
      one => one.subscription_id === invoice.subscription_id && one.starts_at < issued,
    )!;
    const over = endOf(facts, invoice);
    const isLate = issued > daysBefore(before.ends_at, 1);
    const days = isLate
      ? [1, 3, 5].map(after => daysBefore(issued, -after))
      : [1, 0, -2, -4].map(ahead => daysBefore(before.ends_at, ahead));
    const asked = 1 + days.filter(at => at > issued && at <= over).length;
    if (issued < sleep.from && over > sleep.from) add(all, money(invoice), 1, 6);
    else if (invoice.prepaid > 0) {
      add(all, money(invoice, 0), 1, asked);
      add(all, money(invoice), 0, asked - 1);
    } else add(all, money(invoice), asked);
  }
  return all;
}

/** When an invoice was paid, or ended otherwise. */
function endOf(facts: Facts, invoice: Invoice): Date {
  if (invoice.paid_at) return invoice.paid_at;
  const after = facts.steps.find(
    ({ subscription_id, to_status, at }) =>
      subscription_id === invoice.subscription_id && to_status === 'expired' && at >= invoice.issued_at!,
  );
  return after?.at ?? facts.until;
}

/** Refused charges by their amount: of each but the last, after which another email says that the subscription has ended. */
export function refusals(facts: Facts, ids: ReadonlySet<string>): Expected {
  const all: Expected = new Map();
  for (const invoice of renewalsOf(facts, ids)) {
    const refused = facts.attempts.filter(
      one => one.invoice_id === invoice.id && one.unattended && one.failure,
    ).length;
    if (refused > 0) add(all, money(invoice), Math.min(refused, 4));
  }
  return all;
}
