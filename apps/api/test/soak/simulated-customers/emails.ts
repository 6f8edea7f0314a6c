import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { dayInEmails } from '../../subscription/renewing.ts';
import type { Simulation } from './actions.ts';
import { MINUTE_MS, type Simulated } from './customer.ts';
import type { Counted } from './post.ts';

/** Emails that a customer gets once for each time that he counted, by their subjects. */
const COUNTED = {
  cancelled: /^Renewal of your .+ plan is off$/,
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
/** So often an invoice is told of before its time is over: by the tries but the last, or by emails on the same days. */
const TOLD = 4;

/**
 * Every customer got an email for each thing that happened to him, and none twice.
 * @param lookAgain takes over what has become of him meanwhile
 */
export async function emailsAreRight(simulation: Simulation, lookAgain: () => Promise<void>): Promise<void> {
  for (const simulated of new Map(simulation.population.map(each => [each.email, each])).values()) {
    if ((await wrongAbout(simulation, simulated)).length === 0) continue;
    // A receipt is printed first, within a minute.
    await simulation.time.later(2 * MINUTE_MS);
    await lookAgain();
    expect(await wrongAbout(simulation, simulated), `letters to ${simulated.email}`).toEqual([]);
  }
}

type Email = { ID: string; Subject: string };

async function wrongAbout({ shop, read, population }: Simulation, simulated: Simulated): Promise<string[]> {
  // Who came back after his account had ended has another, with the same address.
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

  const told = async (pattern: RegExp) => {
    const texts = await Promise.all(bySubject(pattern).map(({ ID }) => textOf(shop, read, ID)));
    return countBy(texts, text => /invoice (\S+?)[.,]? /.exec(text)![1]!);
  };
  const [refused, due] = [await told(REFUSED), await told(DUE)];
  for (const { reference, refusals } of invoices) {
    const [n, asked] = [refused.get(reference) ?? 0, due.get(reference) ?? 0];
    // The last try is told of by the end.
    expectOf(`refusals of ${reference}`, n, n + asked >= TOLD ? refusals - 1 : refusals, refusals);
    if (letPass.has(reference)) expectOf(`what was told of ${reference}`, n + asked, TOLD, TOLD + 2);
    else expectOf(`what was told of ${reference}`, n + asked, 0, TOLD + 2);
  }
  return wrong;
}

async function emailsTo({ sandboxUrl }: TestShop, email: string): Promise<Email[]> {
  const query = encodeURIComponent(`to:${email}`);
  const found = await fetch(`${sandboxUrl}/mail/api/v1/search?limit=2000&query=${query}`);
  return ((await found.json()) as { messages: Email[] }).messages;
}

/** What an email says; each is read once. */
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

/** Days with which paid periods of his ended or will end, and how many emails each may have at most. */
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

/** His invoices, and how often his bank refused each while he was not there. */
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
