import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { dayInEmails } from '../../subscription/renewing.ts';
import type { Simulation } from './actions.ts';
import { MINUTE_MS, type Simulated } from './customer.ts';
import type { Counted } from './post.ts';

/** Subjects of emails that a customer gets once for each counted event. */
const COUNTED = {
  cancelled: /^Your .+ plan is cancelled$/,
  resumed: /^Renewal of your .+ plan is on again$/,
  withdrawn: /^You’ve withdrawn from the contract/,
  expired: /^Your .+ plan has ended$/,
  left: /^Your .+ account is (disabled|deleted)$/,
} as const satisfies Record<Counted, RegExp>;
const REMINDER = /^Your .+ plan renews on (.+)$/;
const ENDS_SOON = /^Your .+ plan ends on (.+)$/;
const RECEIPT = /^Your receipt (.+)$/;
const REFUSED = /^We couldn’t charge /;
const DUE = /^Please pay /;
/** Number of emails about an invoice before it is final: of all tries but the last, or of the same days. */
const EMAILS_PER_INVOICE = 4;

/**
 * Expects that every customer got an email for each event, and none twice.
 * @param refresh updates what is known of them
 */
export async function expectEmails(simulation: Simulation, refresh: () => Promise<void>): Promise<void> {
  for (const simulated of new Map(simulation.population.map(each => [each.email, each])).values()) {
    if ((await emailViolations(simulation, simulated)).length === 0) continue;
    // Receipts are generated first, within a minute.
    await simulation.time.later(2 * MINUTE_MS);
    await refresh();
    expect(await emailViolations(simulation, simulated), `letters to ${simulated.email}`).toEqual([]);
  }
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
  const days = (pattern: RegExp) => countBy(bySubject(pattern), ({ Subject }) => pattern.exec(Subject)![1]!);
  const wrong: string[] = [];
  const expectOf = (what: string, n: number, least: number, most = least) => {
    if (n < least || n > most) wrong.push(`${n} of ${what}, not ${[...new Set([least, most])].join(' to ')}`);
  };
  const { counted, reminded, letPass } = simulated.post;
  for (const [kind, pattern] of Object.entries(COUNTED))
    expectOf(kind, bySubject(pattern).length, counted[kind as Counted]);

  const paid = await endsOf(shop, customers);
  const most = (day: string) => Math.max(paid.get(day) ?? 1, simulated.post.ends.get(day) ?? 1);
  const reminders = days(REMINDER);
  for (const day of new Set([...reminders.keys(), ...reminded.keys()]))
    expectOf(`reminders of ${day}`, reminders.get(day) ?? 0, reminded.get(day) ?? 0, most(day));
  for (const [day, n] of days(ENDS_SOON)) expectOf(`that it ends on ${day}`, n, 1, most(day));

  const invoices = await invoicesOf(shop, customers);
  const receipts = days(RECEIPT);
  const numbers = invoices.flatMap(({ number, status }) => (number && status === 'paid' ? [number] : []));
  for (const number of new Set([...numbers, ...receipts.keys()]))
    expectOf(`receipt ${number}`, receipts.get(number) ?? 0, numbers.includes(number) ? 1 : 0);

  const mentions = async (pattern: RegExp) => {
    const texts = await Promise.all(bySubject(pattern).map(({ ID }) => textOf(shop, read, ID)));
    return countBy(texts, text => /invoice (\S+?)[.,]? /.exec(text)![1]!);
  };
  const [refused, due] = [await mentions(REFUSED), await mentions(DUE)];
  for (const { reference, refusals } of invoices) {
    const [n, asked] = [refused.get(reference) ?? 0, due.get(reference) ?? 0];
    // The last decline is reported by the email about the end.
    expectOf(
      `refusals of ${reference}`,
      n,
      n + asked >= EMAILS_PER_INVOICE ? refusals - 1 : refusals,
      refusals,
    );
    if (letPass.has(reference))
      expectOf(`what was told of ${reference}`, n + asked, EMAILS_PER_INVOICE, EMAILS_PER_INVOICE + 2);
    else expectOf(`what was told of ${reference}`, n + asked, 0, EMAILS_PER_INVOICE + 2);
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
  const text = Text.replace(/\s+/g, ' ');
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
