import { Readable } from 'node:stream';
import { MEASURE_BYTES, MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Customer = Awaited<ReturnType<TestShop['customer']>>;
let shop: TestShop;
let alice: Customer;
let bob: Customer;
let line: number;
let figure: number;
let counted: string;
beforeAll(async () => {
  shop = await startTestShop({ TRUST_PROXY: '127.0.0.1' });
  [alice, bob] = [await shop.customer('alice', 'plus'), await shop.customer('bob')];
  const seen = await alice.client.subscription.getSubscription({ query: { id: alice.subscriptionId } });
  [line, figure] = [seen.data!.rateMbit, seen.data!.dataTransferGb];
});
afterAll(() => shop?.stop());

const add = async (name: string, customer = alice) =>
  (await customer.client.subscription.addKey({ body: { subscriptionId: customer.subscriptionId, name } }))
    .data!.id;
const adjust = (keys: { id: string; rateMbit: number | null }[], customer = alice) =>
  customer.client.subscription.adjustBw({ body: { id: customer.subscriptionId, keys } });
const seen = async (customer = alice) =>
  (await customer.client.subscription.getBandwidth({ params: { id: customer.subscriptionId } })).data!;
const onHost = (keyId: string) =>
  shop.host
    .set()
    ?.subscriptions.flatMap(({ keys }) => keys)
    .find(({ id }) => id === keyId);

const DAY_MS = 24 * 60 * 60 * 1000;
const dayBefore = (days: number) => bangkokDay(new Date(shop.clock.now().getTime() - days * DAY_MS));
type Row = { keyId: string; day: string; downBytes: number; upBytes: number };
/** Reports usage from the host under counter epoch `a` or `b`. */
const report = (epoch: 'a' | 'b', ...usage: Row[]) =>
  shop.host.shop.report({
    revision: shop.host.set()!.revision,
    agentVersion: 'test',
    openvpnVersion: 'none',
    drift: [],
    epoch: epoch.repeat(32),
    subscriptions: shop.host.set()!.subscriptions.map(({ id }) => ({ id, state: 'up' as const })),
    usage,
  });

test('a limit reaches the host, is changed and removed; a key without one has the whole line', async () => {
  const [phone, laptop] = [await add('phone'), await add('laptop')];
  expect((await adjust([{ id: phone, rateMbit: 5 }])).code).toBe('0000');
  await expect.poll(() => onHost(phone)?.rateMbit).toBe(5);
  expect(await seen()).toMatchObject({
    rateMbit: line,
    keys: [
      { id: phone, name: 'phone', rateMbit: 5 },
      { id: laptop, name: 'laptop' },
    ],
  });
  await adjust([
    { id: phone, rateMbit: null },
    { id: laptop, rateMbit: line },
  ]);
  await expect.poll(() => onHost(laptop)?.rateMbit).toBe(line);
  expect(onHost(phone)).not.toHaveProperty('rateMbit');

  const { revision } = shop.host.set()!;
  await adjust([{ id: laptop, rateMbit: line }]);
  await adjust([]);
  const after = await add('after');
  await expect.poll(() => onHost(after)).toBeDefined();
  expect(shop.host.set()!.revision, 'what changes nothing is no work for the host').toBe(revision + 1);
});

test('limits above the line, below 1, or not whole are refused, and the call changes nothing', async () => {
  const [key, other] = (await seen()).keys.map(({ id }) => id) as [string, string];
  const before = await seen();
  for (const rateMbit of [0, -1, 0.5, 2.5, line + 1, 1e9]) {
    const answer = await adjust([
      { id: other, rateMbit: 7 },
      { id: key, rateMbit },
    ]);
    expect(answer, String(rateMbit)).toMatchObject({ status: 400, code: '7004' });
    expect(answer.data).toEqual({ fields: { 'keys.1.rateMbit': 'form.rate.invalid' } });
  }
  expect(await seen()).toEqual(before);
});

test('S29 another customer’s line and keys are answered like ones that do not exist', async () => {
  const mine = await add('mine');
  const theirs = await bob.client.subscription.getBandwidth({ params: { id: alice.subscriptionId } });
  expect(theirs).toMatchObject({ status: 400, code: '6006' });
  const foreign = { id: alice.subscriptionId, keys: [{ id: mine, rateMbit: 1 }] };
  expect(await bob.client.subscription.adjustBw({ body: foreign })).toMatchObject({ code: '6006' });
  expect(await adjust([{ id: mine, rateMbit: 1 }], bob)).toMatchObject({ code: '6005' });
});

test('a speed test runs only through the customer’s own tunnel', async () => {
  const { address } = (
    await alice.client.subscription.getSubscription({ query: { id: alice.subscriptionId } })
  ).data!;
  const through = { 'x-forwarded-for': address! };
  const elsewhere = { 'x-forwarded-for': '198.51.100.77' };
  const ticketOf = async (customer: Customer, from: Record<string, string>) =>
    customer.client.subscription.measure({ body: { id: alice.subscriptionId } }, from);
  expect((await ticketOf(alice, elsewhere)).data).toEqual({});
  expect((await ticketOf(bob, through)).code).toBe('6006');
  const ticket = (await ticketOf(alice, through)).data!.ticket!;
  const at = (given: string) => `${shop.url}${MEASURE_PATH}?ticket=${given}`;
  const up = (megabytes: number) =>
    fetch(at(ticket), {
      method: 'POST',
      body: Readable.from(Array(megabytes).fill(Buffer.alloc(1024 * 1024, 7))),
      duplex: 'half',
      headers: { ...through, 'content-type': 'application/octet-stream' },
    } as RequestInit);

  const down = await fetch(at(ticket), { headers: through });
  expect(down.headers.get('cache-control')).toBe('no-store');
  expect(Number(down.headers.get('content-length'))).toBe(MEASURE_BYTES);
  // A moment is enough.
  const reader = down.body!.getReader();
  expect((await reader.read()).value!.length).toBeGreaterThan(1000);
  await reader.cancel();
  expect((await up(2)).status).toBe(204);
  expect((await up(MEASURE_BYTES / 1024 / 1024 + 1).catch(() => undefined))?.status ?? 413).toBe(413);

  // Refused without a ticket, or with a foreign, forged or expired one.
  const refused = async (given: string, from = through) => (await fetch(at(given), { headers: from })).status;
  expect(await refused(ticket, elsewhere)).toBe(400);
  expect(await refused('')).toBe(400);
  expect(await refused(ticket.replace(/^\d/, '9'))).toBe(400);
  shop.clock.advance(31_000);
  expect(await refused(ticket)).toBe(400);
});

test('FV15 usage adds up correctly over repeated and late reports and a reinstalled host', async () => {
  counted = await add('counted', bob);
  const [one, two] = [dayBefore(2), dayBefore(1)];
  const row = (day: string, downBytes: number, upBytes: number): Row => ({
    keyId: counted,
    day,
    downBytes,
    upBytes,
  });
  await report('a', row(one, 100, 10), row(two, 50, 5));
  await report('a', row(one, 100, 10));
  await report('a', row(one, 140, 4));
  await Promise.all([1, 2, 3].map(() => report('b', row(one, 7, 3))));
  const { days, months } = await seen(bob);
  expect(days).toEqual([
    { day: two, downBytes: 50, upBytes: 5 },
    { day: one, downBytes: 147, upBytes: 13 },
  ]);
  expect(months.reduce((sum, { downBytes, upBytes }) => sum + downBytes + upBytes, 0)).toBe(215);

  // The usage of a deleted key stays.
  await bob.client.subscription.deleteKey({ body: { subscriptionId: bob.subscriptionId, keyId: counted } });
  expect((await seen(bob)).days).toEqual(days);
});

test('M7 80 and 100 percent of the fair-use figure are notified once a month each', async () => {
  const carol = await shop.customer('carol', 'plus');
  const keyId = await add('phone', carol);
  const GB = 1_000_000_000;
  const uses = (share: number, day = dayBefore(0)) =>
    report('a', { keyId, day, downBytes: figure * GB * share, upBytes: 0 });
  const noticed = async () => {
    const rows = await shop.db.selectFrom('usage_notice').select(['month', 'percent']).execute();
    return rows.map(({ month, percent }) => `${month} ${percent}`).sort();
  };
  const month = dayBefore(0).slice(0, 7);
  await uses(0.79);
  expect(await noticed()).toEqual([]);
  await uses(0.81);
  await uses(0.82);
  const near = await emailTo(shop, carol.email, /80%/);
  expect(near.Subject).toContain('GB');
  expect(await noticed()).toEqual([`${month} 80`]);
  await uses(1);
  await uses(1.5);
  await emailTo(shop, carol.email, /You’ve used/);
  expect(await noticed()).toEqual([`${month} 100`, `${month} 80`]);
  const search = `${shop.sandboxUrl}/mail/api/v1/search?query=${encodeURIComponent(`to:${carol.email}`)}`;
  const { messages } = (await (await fetch(search)).json()) as { messages: { Subject: string }[] };
  expect(messages.filter(({ Subject }) => /80%|You’ve used/.test(Subject))).toHaveLength(2);
});

test('K11 daily usage is deleted after 31 days and not recreated by reports; the sum of the month stays', async () => {
  const before = await seen(bob);
  expect(before.days).toHaveLength(2);
  shop.clock.advance(31 * DAY_MS);
  await shop.host.report();
  await shop.sweep();
  const { token } = await shop.client.auth.login({ body: { email: bob.email, password: PASSWORD } });
  bob = { ...bob, client: createClient(shop.url, token) };
  expect(await shop.db.selectFrom('key_usage_day').selectAll().execute()).toEqual([]);
  await report('a', { keyId: counted, day: before.days[0]!.day, downBytes: 50, upBytes: 5 });
  expect(await seen(bob)).toMatchObject({ days: [], months: before.months });
});
