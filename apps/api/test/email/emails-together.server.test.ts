import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayInEmails } from '../subscription/renewing.ts';
import { newColleague } from '../team/people.ts';
import { customerWithMany, emailsTo, liveUntil, logInAgain, promised } from './many-subscriptions.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const later = (ms: number) => new Date(shop.clock.now().getTime() + ms);

test('U76 a customer of several subscriptions gets one email per kind and day, and everything that the rules promise', async () => {
  const many = await customerWithMany(shop, 'several', [1, 1, 1, 3]);
  const colleague = await newColleague(shop, many.client, 'several-colleague@example.com', 'owner');
  await liveUntil(shop, later(40 * DAY_MS));
  const emails = await emailsTo(shop, many.email);
  const said = await promised(shop, many, emails);
  expect(said.filter(({ times, found }) => found !== times)).toEqual([]);
  expect(said.filter(({ what }) => what.startsWith('receipt'))).toHaveLength(7);
  const subjects = emails.map(({ Subject }) => Subject.replaceAll('\u00a0', ' '));
  expect(subjects).toContain('3 receipts, THB 597.00');
  expect(subjects).toContain('3 subscriptions renew soon: THB 597.00');
  // Those of the first subscription leave at once, and the first of the next ones; all others of the sitting as one.
  expect(subjects.filter(subject => /receipt/i.test(subject)).length).toBeLessThanOrEqual(4);
  expect(subjects.filter(subject => /ready/.test(subject)).length).toBeLessThanOrEqual(3);
  expect(subjects.filter(subject => /renew/.test(subject))).toHaveLength(1);

  // Somebody else who buys reads the same as few emails.
  const theirs = (await emailsTo(shop, colleague.email)).map(({ Subject }) =>
    Subject.replaceAll('\u00a0', ' '),
  );
  const toBuyers = (all: string[]) => all.filter(subject => /3 receipts|renew/.test(subject));
  expect(toBuyers(theirs)).toEqual(toBuyers(subjects));

  // A customer who switches announcements off gets none, but every receipt.
  const client = await logInAgain(shop, many);
  expect((await client.account.setEmails({ body: { off: ['renewalAhead'] } })).code).toBe('0000');
  await liveUntil(shop, later(30 * DAY_MS));
  const after = (await emailsTo(shop, many.email)).slice(emails.length).map(({ Subject }) => Subject);
  expect(after.filter(subject => /renew/.test(subject))).toEqual([]);
  expect(after.filter(subject => /receipt/i.test(subject))).toHaveLength(1);
});

test('U76 a charge waits for a reminder that no worker has sent, and is announced once more', async () => {
  const many = await customerWithMany(shop, 'unannounced', [1, 1]);
  const { period_end } = await shop.db
    .selectFrom('subscription')
    .select(eb => eb.fn.max('period_end').as('period_end'))
    .where('customer_id', '=', many.customerId)
    .executeTakeFirstOrThrow();
  await liveUntil(shop, new Date(period_end!.getTime() - 3 * DAY_MS));
  const paid = async () =>
    (await promised(shop, many, [])).filter(({ what }) => /^receipt/.test(what)).length;
  // Both have been collected; the workers sleep until after the charge was due.
  shop.clock.advance(2.2 * DAY_MS);
  const charged = dayInEmails(later(DAY_MS));
  await shop.sweep();
  expect(await paid(), 'nothing is charged before its reminder').toBe(2);
  await liveUntil(shop, later(DAY_MS + 60 * MINUTE_MS));
  expect(await paid()).toBe(4);
  const said = (await emailsTo(shop, many.email)).map(({ Text }) => Text).join('\n');
  for (const { address } of many.owned)
    expect(said.match(new RegExp(`^Solo ${address}: .+, charged on ${charged}$`, 'gm'))).toHaveLength(1);
});

test('U76 receipts that wait for others leave although their customer has ended the account', async () => {
  const many = await customerWithMany(shop, 'leaves', [1, 1, 1]);
  for (const { id } of many.owned) await many.client.subscription.cancelSubscription({ body: { id } });
  const end = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await many.client.auth.deleteAccount({ body: end })).code).toBe('0000');
  await shop.sweep();
  const before = await emailsTo(shop, many.email);
  shop.clock.advance(11 * MINUTE_MS);
  await shop.sweep();
  const emails = await emailsTo(shop, many.email);
  const late = emails.slice(before.length);
  expect(late.flatMap(({ files }) => files).length, 'some have waited').toBeGreaterThan(0);
  expect(late.map(({ Subject, Text }) => `${Subject} ${Text}`).join()).not.toMatch(/cancelled|Renews every/);
  const said = await promised(shop, many, emails);
  const receipts = said.filter(({ what }) => what.startsWith('receipt'));
  expect(receipts.map(({ found }) => found)).toEqual([1, 1, 1]);
});

test('U76 changes of devices from a browser that is not known as the customer’s are one email; own ones are none', async () => {
  const anna = await shop.customer('devices');
  const { subscriptionId } = anna;
  const add = (client: typeof anna.client, name: string) =>
    client.subscription.addKey({ body: { subscriptionId, name } });
  const colleague = await newColleague(shop, anna.client, 'devices-colleague@example.com', 'owner');
  const own = await add(anna.client, 'laptop');
  await anna.client.subscription.deleteKey({ body: { subscriptionId, keyId: own.data!.id } });
  // Logged in without the cookie that marks a browser of the customer.
  const stranger = await logInAgain(shop, anna);
  await add(stranger, 'first');
  await shop.sweep();
  const second = await add(stranger, 'second');
  await stranger.subscription.deleteKey({ body: { subscriptionId, keyId: second.data!.id } });
  await shop.sweep();
  const aboutDevices = async () =>
    (await emailsTo(shop, anna.email)).filter(({ Subject }) => /device/.test(Subject));
  expect(await aboutDevices(), 'before the ten minutes are over').toEqual([]);
  shop.clock.advance(11 * MINUTE_MS);
  await shop.sweep();
  const [email, ...others] = await aboutDevices();
  expect(others).toEqual([]);
  expect(email!.Text).toMatch(/^first: added to Solo [\d.]+$/m);
  expect(email!.Text).toMatch(/^second: deleted from Solo [\d.]+$/m);
  expect(email!.Text).not.toContain('laptop');
  const theirs = (await emailsTo(shop, colleague.email)).map(({ Subject }) => Subject);
  expect(
    theirs.filter(subject => /device/.test(subject)),
    'a colleague’s device is none of theirs',
  ).toEqual([]);
});

test('a session in a browser with the customer’s cookie is their own; one with another’s cookie is not', async () => {
  const ben = await shop.customer('browser');
  const logIn = async (cookie?: string) => {
    const response = await fetch(`${shop.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify({ email: ben.email, password: 'Correct!horse1', refreshIn: 'cookie' }),
    });
    const marked = response.headers.getSetCookie().find(line => line.startsWith('device='));
    return { cookie: marked!.split(';')[0]!, token: ((await response.json()) as { token: string }).token };
  };
  const isOwn = async (token: string) => {
    await createClient(shop.url, token).auth.profile();
    const { own_browser } = await shop.db
      .selectFrom('session')
      .innerJoin('customer', 'customer.id', 'session.customer_id')
      .select('own_browser')
      .where('customer.email', '=', ben.email)
      .orderBy('session.created_at', 'desc')
      .orderBy('session.rotated_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return own_browser;
  };
  shop.clock.advance(MINUTE_MS);
  const unknown = await logIn();
  expect(await isOwn(unknown.token)).toBe(false);
  shop.clock.advance(MINUTE_MS);
  expect(await isOwn((await logIn(unknown.cookie)).token)).toBe(true);
  shop.clock.advance(MINUTE_MS);
  const forged = `${unknown.cookie.slice(0, -2)}AA`;
  expect(await isOwn((await logIn(forged)).token)).toBe(false);
});
