import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../src/adapters/jobs/runner.ts';
import { createLogger } from '../../src/log/logger.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { claimRefunds } from './simulated-customers/money.ts';
import { act, join, type Person, payInvoice, type Simulation } from './two-years/actions.ts';
import { creditFaults, ledgerFaults, paymentFaults } from './two-years/audit/balances.ts';
import { dayIn } from './two-years/audit/calendar.ts';
import { emailFaults } from './two-years/audit/emails.ts';
import { type Email, type Facts, readFacts, takeEmails } from './two-years/audit/facts.ts';
import { invoiceFaults } from './two-years/audit/invoices.ts';
import { periodFaults } from './two-years/audit/periods.ts';
import { CURRENCIES, DAYS, listPrice, PLANS, SLEEP, VAT } from './two-years/audit/prices.ts';
import { STORIES } from './two-years/customers.ts';
import { WRONG } from './two-years/wrong.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The mailbox keeps 2,000 emails. */
const TAKES_EMAILS_DAYS = 30;

let shop: TestShop;
let simulation: Simulation;
let facts: Facts;
let start: number;
const people: Person[] = [];
const emails: Email[] = [];

/** Noon in Bangkok of a day of these years. */
const noon = (day: number) => new Date(start + day * DAY_MS);
const night = (day: number) => new Date(start + day * DAY_MS + 12 * HOUR_MS);

beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'FR:full,DE:days' });
  const jobs = await startJobs(shop.databaseUrls.app, createLogger('silent'));
  simulation = { shop, jobs, downgrades: [] };
  // The first of the two years has 365 days and the second 366, whenever this runs.
  const year = new Date().getUTCFullYear() + 1;
  start = Date.UTC(year + ((3 - (year % 4) + 4) % 4), 0, 5, 5);
  await to(noon(0));
  await sellInFiveCurrencies();
  for (let day = 0; day < DAYS; day += 1) if (day <= SLEEP.from || day >= SLEEP.until) await live(day);
  emails.push(...(await takeEmails(shop.sandboxUrl)));
  facts = await readFacts({
    db: shop.db as never,
    control: shop.sandbox.control,
    emails,
    downgrades: simulation.downgrades,
    payers: people.map(({ customerId, story, asked }) => ({ customerId, email: story.email, asked })),
    until: shop.clock.now(),
  });
}, 3_600_000);
afterAll(async () => {
  await simulation?.jobs.stop();
  await shop?.stop();
});

async function to(at: Date): Promise<void> {
  shop.clock.advance(Math.max(0, at.getTime() - shop.clock.now().getTime()));
  await shop.sweep();
}

async function sellInFiveCurrencies(): Promise<void> {
  for (const plan of PLANS)
    for (const months of [1, 3, 6, 12] as const)
      for (const currency of CURRENCIES) {
        const [price, renewal] = (['first', 'later'] as const).map(one =>
          listPrice(plan, months, currency, one),
        );
        await sql`insert into plan_price (plan_id, currency, cycle_count, price, renewal)
          values (${plan}, ${currency}, ${months}, ${price}, ${renewal})
          on conflict (plan_id, cycle_count, currency)
            do update set price = excluded.price, renewal = excluded.renewal`.execute(shop.db);
      }
  await shop.sandbox.control('btcpay/rate', { currency: 'SGD', rate: '91234' });
}

/** A day: at noon customers join and act, and pay what they were asked for; workers run then and at midnight. */
async function live(day: number): Promise<void> {
  await to(noon(day));
  if (day === VAT.announcedOn)
    await sql`insert into vat_change (country, from_day, rate_bp)
      values ('TH', ${dayIn(noon(VAT.changesOn))}, ${VAT.after})`.execute(shop.db);
  for (const story of STORIES) if (story.joins === day) people.push(await join(simulation, story));
  for (const person of people) {
    const action = person.story.actions[day - person.story.joins];
    if (action)
      await act(simulation, person, action).catch(error => {
        throw new Error(`${person.story.email} on day ${day}: ${JSON.stringify(action)}`, { cause: error });
      });
  }
  await payByHand(day);
  await claimRefunds(shop);
  await to(night(day));
  // Not before: what arrives while they are taken would be lost.
  if (day % TAKES_EMAILS_DAYS === 0) emails.push(...(await takeEmails(shop.sandboxUrl)));
}

/** Customers who are not charged pay the invoices that they were asked for, after the days of their story. */
async function payByHand(day: number): Promise<void> {
  const open = await shop.db
    .selectFrom('invoice')
    .select(['id', 'subscription_id', 'issued_at'])
    .where('status', '=', 'open')
    .orderBy('issued_at')
    .orderBy('reference')
    .execute();
  for (const { id, subscription_id, issued_at } of open) {
    const person = people.find(({ subscriptionId }) => subscriptionId === subscription_id);
    if (!person || /card|paypal/.test(person.story.method)) continue;
    const { paysAfter, paysUntil, sends } = person.story;
    const waited = noon(day).getTime() - issued_at!.getTime();
    if (day > paysUntil || waited < paysAfter * DAY_MS) continue;
    person.paid += 1;
    await payInvoice(simulation, person, id, sends[person.paid] ?? 1);
  }
}

describe('X21 two years of a hundred customers, recomputed from the rows, the gateways and the mailbox alone', () => {
  test('everybody and everything took part', () => {
    const of = <T>(all: readonly T[]) => [...new Set(all)].sort();
    expect(people).toHaveLength(STORIES.length);
    expect(of(facts.movements.map(({ currency }) => currency))).toEqual([...CURRENCIES].sort());
    expect(of(facts.attempts.filter(one => one.received > 0).map(({ method }) => method))).toEqual(
      of(['card', 'paypal', 'promptpay', 'bitcoin']),
    );
    expect(of(facts.disputes.map(({ status }) => status))).toEqual(['lost', 'won']);
    expect(of(facts.lines.map(line => line.vat_rate_bp))).toEqual(of([VAT.before, VAT.after]));
    expect(of(facts.customers.map(({ status }) => status))).toEqual(['active', 'deleted', 'disabled']);
  });

  const audits = {
    'invoices and credit notes have the price, the VAT of their day, and numbers without a gap': (
      of: Facts,
    ) => invoiceFaults(of, { before: VAT.before, after: VAT.after, day: dayIn(noon(VAT.changesOn)) }),
    'every paid period is as long as it was sold, and none overlaps or is missing': periodFaults,
    'what the gateways took is what was due': paymentFaults,
    'what is left is credit, or went back': creditFaults,
    'the books say what gateways, invoices and notes say': ledgerFaults,
    'every email that is due came once, and no other': (of: Facts) =>
      emailFaults(of, { from: night(SLEEP.from), until: noon(SLEEP.until) }),
  };
  test.each(Object.entries(audits))('%s', (_, audit) => expect(audit(facts)).toEqual([]));

  test.each(Object.entries(WRONG))('it would be found: %s', (_, spoil) => {
    const spoilt = structuredClone(facts);
    spoil(spoilt);
    expect(Object.values(audits).flatMap(audit => audit(spoilt))).not.toEqual([]);
  });

  test('the books of the shop find no difference either', async () => {
    expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  });
});
