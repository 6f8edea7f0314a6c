import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { dayInEmails } from '../../subscription/renewing.ts';
import type { Simulation } from './actions.ts';
import { MINUTE_MS, type Simulated } from './customer.ts';
import type { Counted } from './post.ts';

/** A subject after what tells its subscription apart. */
const subjectOf = (pattern: string) => new RegExp(`^(?:[\\d.]+ · )?${pattern}$`);

/** Subjects of emails that a customer gets once for each counted event. */
const COUNTED = {
  cancelled: subjectOf('Your .+ plan is cancelled'),
  resumed: subjectOf('Renewal of your .+ plan is on again'),
  withdrawn: subjectOf('You’ve withdrawn from the contract .+'),
  expired: subjectOf('Your .+ plan has ended'),
  left: /^Your .+ account is (disabled|deleted)$/,
} as const satisfies Record<Counted, RegExp>;
const REMINDER = subjectOf('Your .+ plan renews on (.+)');
/** Row of an email that announces several renewals: each is charged the day before. */
const CHARGED_ON = /charged on (\w+ \d+, \d+)/g;
const ENDS_SOON = subjectOf('Your .+ plan ends on (.+)');
/** The email that the VPN is ready brings the first receipt, unless that went before. */
const RECEIPTS = /^Receipt: |^\d+ receipts?, |^Your VPN is ready|^\d+ VPNs? (is|are) ready/;
const RECEIPT_NUMBER = /\b\d{4}-\d{6}\b/g;
const REFUSED = /^([\d.]+ · )?We couldn’t charge /;
const DUE = /: please pay /;
const REFERENCE = /\b\w{4}-\w{4}-\w{2}\b/g;
const SEVERAL = / \(and \d+ more\)$/;
const RENEWALS = /^\d+ subscriptions? renews? soon/;
const DAY_MS = 24 * 60 * 60_000;
/** Number of emails about an invoice before it is final: of all tries but the last, or of the same days. */
export const EMAILS_PER_INVOICE = 4;

/**
 * Expects that every customer got an email for each event, and none twice.
 * @param refresh updates what is known of them
 */
export async function expectEmails(simulation: Simulation, refresh: () => Promise<void>): Promise<void> {
  for (const simulated of new Map(simulation.population.map(each => [each.email, each])).values()) {
    if ((await emailViolations(simulation, simulated)).length === 0) continue;
    // Receipts are generated first, within a minute; what is collected leaves in the evening.
    await simulation.time.later(2 * MINUTE_MS);
    for (let due = await nextCollected(simulation); due; due = await nextCollected(simulation)) {
      const wait = due.getTime() - simulation.shop.clock.now().getTime();
      await simulation.time.later(Math.max(wait, 0) + MINUTE_MS);
    }
    await refresh();
    expect(await emailViolations(simulation, simulated), `letters to ${simulated.email}`).toEqual([]);
  }
}

/** Records which emails wait for others now: what their customer does next may overtake them. */
export async function recordWaiting({ shop }: Simulation, { row, post }: Simulated): Promise<void> {
  const { customer_id } = await row();
  const waiting = await shop.db
    .selectFrom('collected_email')
    .leftJoin('invoice', join =>
      join.onRef('invoice.subscription_id', '=', 'subject_id').on('invoice.status', '=', 'open'),
    )
    .select(['template', 'reference'])
    .where('collected_email.customer_id', '=', customer_id)
    .where('batch', 'is', null)
    .execute();
  for (const { template, reference } of waiting) {
    const kind = template === 'renewalFailed' ? reference : template;
    if (kind) post.overtaken.set(kind, (post.overtaken.get(kind) ?? 0) + 1);
  }
}

/** When the next email leaves of those that wait for others. */
async function nextCollected({ shop }: Simulation): Promise<Date | undefined> {
  const next = await shop.db
    .selectFrom('collected_email')
    .select('due_at')
    .where('batch', 'is', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at;
}

type Email = { ID: string; Subject: string };

async function emailViolations(
  { shop, read, population }: Simulation,
  simulated: Simulated,
): Promise<string[]> {
  // A customer who returned after their account ended has another account with the same address.
  const his = population.filter(({ email }) => email === simulated.email);
  const rows = await Promise.all(his.map(each => each.row()));
  const customers = rows.map(({ customer_id }) => customer_id);
  const emails = await emailsTo(shop, simulated.email);
  const bySubject = (pattern: RegExp) => emails.filter(({ Subject }) => pattern.test(Subject));
  const textsOf = (found: Email[]) => Promise.all(found.map(({ ID }) => textOf(shop, read, ID)));
  // Several emails in one name each of them by its subject, on a line of its own.
  const lines = (await textsOf(bySubject(SEVERAL))).flatMap(text => text.split('\n'));
  const subjects = [...emails.flatMap(({ Subject }) => (SEVERAL.test(Subject) ? [] : [Subject])), ...lines];
  const countOf = (pattern: RegExp) => subjects.filter(subject => pattern.test(subject)).length;
  const days = (pattern: RegExp) =>
    countBy(
      subjects.filter(subject => pattern.test(subject)),
      subject => pattern.exec(subject)![1]!,
    );
  const wrong: string[] = [];
  const expectOf = (what: string, n: number, least: number, most = least) => {
    if (n < least || n > most) wrong.push(`${n} of ${what}, not ${[...new Set([least, most])].join(' to ')}`);
  };
  const { counted, overtaken, reminded, remindedOf, letPass } = simulated.post;
  for (const [kind, pattern] of Object.entries(COUNTED) as [Counted, RegExp][])
    expectOf(kind, countOf(pattern), counted[kind] - (overtaken.get(kind) ?? 0), counted[kind]);

  const paid = await endsOf(shop, customers);
  const most = (day: string) => Math.max(paid.get(day) ?? 1, simulated.post.ends.get(day) ?? 1);
  const reminders = days(REMINDER);
  for (const text of await textsOf(bySubject(RENEWALS))) {
    for (const [, day] of text.matchAll(CHARGED_ON)) {
      const end = dayInEmails(new Date(Date.parse(`${day} 12:00 UTC`) + DAY_MS));
      reminders.set(end, (reminders.get(end) ?? 0) + 1);
    }
  }
  for (const day of new Set([...reminders.keys(), ...reminded.keys()]))
    expectOf(`reminders of ${day}`, reminders.get(day) ?? 0, reminded.get(day) ?? 0, most(day));
  for (const oneOf of remindedOf) {
    if (!oneOf.some(day => reminders.has(day))) wrong.push(`no reminder of ${oneOf.join(' or ')}`);
  }
  for (const [day, n] of days(ENDS_SOON)) expectOf(`that it ends on ${day}`, n, 1, most(day));

  const invoices = await invoicesOf(shop, customers);
  const receipts = countBy(
    (await textsOf(bySubject(RECEIPTS))).flatMap(text => text.match(RECEIPT_NUMBER) ?? []),
    number => number,
  );
  const numbers = invoices.flatMap(({ number, status }) => (number && status === 'paid' ? [number] : []));
  for (const number of new Set([...numbers, ...receipts.keys()]))
    expectOf(`receipt ${number}`, receipts.get(number) ?? 0, numbers.includes(number) ? 1 : 0);

  const mentions = async (pattern: RegExp) => {
    const texts = await textsOf([...bySubject(pattern)]);
    return countBy(
      texts.flatMap(text => [...new Set(text.match(REFERENCE) ?? [])]),
      reference => reference,
    );
  };
  const [refused, due] = [await mentions(REFUSED), await mentions(DUE)];
  for (const { reference, refusals } of invoices) {
    const [n, asked] = [refused.get(reference) ?? 0, due.get(reference) ?? 0];
    // The last decline is reported by the email about the end.
    const late = overtaken.get(reference) ?? 0;
    const told = n + asked >= EMAILS_PER_INVOICE ? refusals - 1 : refusals;
    expectOf(`refusals of ${reference}`, n, told - late, refusals);
    const least = letPass.get(reference) ?? late;
    expectOf(`what was told of ${reference}`, n + asked, least - late, EMAILS_PER_INVOICE + 2);
  }
  return wrong;
}

async function emailsTo({ sandboxUrl }: TestShop, email: string): Promise<Email[]> {
  const query = encodeURIComponent(`to:${email}`);
  const found = await fetch(`${sandboxUrl}/mail/api/v1/search?limit=2000&query=${query}`);
  return ((await found.json()) as { messages: Email[] }).messages;
}

/** Text of an email; each is fetched once. */
async function textOf({ sandboxUrl }: TestShop, read: Map<string, string>, id: string): Promise<string> {
  const known = read.get(id);
  if (known !== undefined) return known;
  const { Text } = (await (await fetch(`${sandboxUrl}/mail/api/v1/message/${id}`)).json()) as {
    Text: string;
  };
  const text = Text.replace(/[^\S\n]+/g, ' ');
  read.set(id, text);
  return text;
}

/** Dates at which paid periods ended or will end, with the maximum number of emails for each. */
async function endsOf({ db }: TestShop, customers: string[]): Promise<Map<string, number>> {
  const periods = await db
    .selectFrom('subscription_period')
    .innerJoin('subscription', 'subscription.id', 'subscription_id')
    .select(['ends_at', 'cycle_count'])
    .where('subscription.customer_id', 'in', customers)
    .execute();
  const most = new Map<string, number>();
  for (const { ends_at, cycle_count } of periods) {
    const day = dayInEmails(ends_at);
    most.set(day, (most.get(day) ?? 0) + (cycle_count === 12 ? 2 : 1));
  }
  return most;
}

/** Invoices, and how often the bank declined each without the customer's presence. */
const invoicesOf = ({ db }: TestShop, customers: string[]) =>
  db
    .selectFrom('invoice')
    .select(['reference', 'number', 'status'])
    .select(({ selectFrom }) =>
      selectFrom('attempt')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('invoice_id', '=', 'invoice.id')
        .where('unattended', '=', true)
        .where('failure', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('refusals'),
    )
    .where('customer_id', 'in', customers)
    .execute();

function countBy<T>(all: readonly T[], of: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
  return counts;
}
