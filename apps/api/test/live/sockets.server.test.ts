import { liveEvents } from '@fixpoint/contract/live.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { Manager } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

/** Limits and tokens of the live socket. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FORGED = '0123456789abcdef'.repeat(2);
let shop: TestShop;
beforeAll(async () => {
  // As in production, behind a proxy that names the client address.
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => shop?.stop());
beforeEach(() => shop.clock.advance(MINUTE_MS));

const managers: Manager[] = [];
/** Engine.IO connection below the sockets, which sends nothing by itself. */
function connection(token: string, address = '198.51.100.1'): Manager {
  const manager = new Manager(shop.url, {
    path: '/soc/socket.io/',
    query: { token },
    transports: ['websocket'],
    reconnection: false,
    autoConnect: false,
    extraHeaders: { 'x-forwarded-for': address },
  });
  managers.push(manager);
  return manager;
}
const opened = (manager: Manager) =>
  new Promise<boolean>(resolve => manager.open(error => resolve(error === undefined)));

type Outcome = { answer: 'connected' | '8003' | 'turned away'; manager: Manager };
async function join(token: string, address?: string): Promise<Outcome> {
  const manager = connection(token, address);
  if (!(await opened(manager))) return { answer: 'turned away', manager };
  const socket = manager.socket('/');
  return new Promise(resolve => {
    socket.once('connect', () => resolve({ answer: 'connected', manager }));
    socket.once('connect_error', error => resolve({ answer: error.message as '8003', manager }));
    socket.connect();
  });
}
const ofOrder = (metadata: string) => socketToken(parseMetadata(metadata)!.reference);
const newToken = async () => ofOrder((await beginOrder(shop.client)).metadata);
/** Raw WebSocket below the packet protocol. */
const rawOf = (manager: Manager) =>
  (manager.engine.transport as unknown as { ws: { ping(): void; send(data: string | Buffer): void } }).ws;
const ended = (manager: Manager) =>
  until(async () => manager.engine.readyState === 'closed', 'the end of the connection');

test('FS10 S48 guessed tokens are refused alike, up to twenty a minute per network, and other networks are not affected', async () => {
  const token = await newToken();
  const all = (address: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => join(FORGED, address)));
  const answers = (await all('203.0.113.1', 60)).map(({ answer }) => answer);
  expect(answers.filter(answer => answer === '8003')).toHaveLength(20);
  expect(answers.filter(answer => answer === 'turned away')).toHaveLength(40);
  expect((await join(token, '203.0.113.1')).answer).toBe('turned away');
  expect((await join(token, '203.0.113.2')).answer).toBe('connected');

  // An IPv6 network is the prefix of one line.
  const sixes = await Promise.all(Array.from({ length: 30 }, (_, n) => join(FORGED, `2001:db8:1:2::${n}`)));
  expect(sixes.filter(({ answer }) => answer === '8003')).toHaveLength(20);
  shop.clock.advance(MINUTE_MS);
  expect((await join(token, '203.0.113.1')).answer).toBe('connected');
});

test('FS10 handshakes with a valid token do not count as guesses', async () => {
  const tokens = await Promise.all(Array.from({ length: 10 }, newToken));
  for (const token of [...tokens, ...tokens, ...tokens]) {
    const { answer, manager } = await join(token, '203.0.113.10');
    expect(answer).toBe('connected');
    manager.engine.close();
  }
});

test('FS10 S50 a network has at most two hundred open connections', async () => {
  const { token } = await shop.customer('crowd');
  const tokens = await Promise.all(Array.from({ length: 67 }, newToken));
  const open: Manager[] = [];
  const three = [...tokens, ...tokens, ...tokens];
  // At most twenty handshakes may be unauthenticated at once.
  while (open.length < 200) {
    const some = await Promise.all(
      three.slice(open.length, open.length + 20).map(own => join(own, '203.0.113.20')),
    );
    for (const { answer, manager } of some) {
      expect(answer).toBe('connected');
      open.push(manager);
    }
  }
  expect((await join(token, '203.0.113.20')).answer).toBe('turned away');
  open[0]!.engine.close();
  await until(async () => (await join(token, '203.0.113.20')).answer === 'connected', 'a free place');
  for (const manager of open) manager.engine.close();
});

describe('FS10 S50 a connection', () => {
  test('that never joins is terminated after five seconds, and a network has at most twenty of them', async () => {
    const silent = Array.from({ length: 60 }, () => connection(FORGED, '203.0.113.30'));
    const taken = await Promise.all(silent.map(opened));
    expect(taken.filter(Boolean)).toHaveLength(20);
    const held = silent.filter((_, index) => taken[index]);
    await Promise.all(held.map(manager => ended(manager)));
  });

  test.each([
    ['messages', (manager: Manager) => rawOf(manager).send('42["ping"]')],
    ['packets that are not messages', (manager: Manager) => rawOf(manager).send('3')],
    ['malformed packets', (manager: Manager) => rawOf(manager).send('4nonsense')],
    ['pings below the protocol', (manager: Manager) => rawOf(manager).ping()],
  ])('may send thirty %s a minute', async (_, send) => {
    const { answer, manager } = await join(await newToken(), '203.0.113.40');
    expect(answer).toBe('connected');
    for (let n = 0; n < 3_500 && manager.engine.readyState === 'open'; n += 1) {
      send(manager);
      if (n % 10 === 9) await new Promise(done => setTimeout(done, 5));
    }
    await ended(manager);
  });

  test('may send what a page sends without limit of time', async () => {
    const { manager } = await join(await newToken(), '203.0.113.41');
    for (let minute = 0; minute < 3; minute += 1) {
      shop.clock.advance(MINUTE_MS);
      for (let n = 0; n < 20; n += 1) rawOf(manager).send('42["ping"]');
      await new Promise(done => setTimeout(done, 100));
      expect(manager.engine.readyState).toBe('open');
    }
    manager.engine.close();
  });

  test('is terminated by a message of more than 8 KB', async () => {
    const { manager } = await join(await newToken(), '203.0.113.42');
    rawOf(manager).send(`42["orderCheck","${'x'.repeat(1_000_000)}"]`);
    await ended(manager);
  });

  test('cannot be opened twice for one protocol session', async () => {
    const { manager } = await join(await newToken(), '203.0.113.43');
    const second = new Manager(shop.url, {
      path: '/soc/socket.io/',
      query: { token: FORGED, sid: manager.engine.id },
      transports: ['websocket'],
      reconnection: false,
      autoConnect: false,
    });
    expect(await opened(second)).toBe(false);
    manager.engine.close();
  });
});

test('S49 only uncompressed WebSockets are served, and no client script', async () => {
  const poll = await fetch(`${shop.url}/soc/socket.io/?EIO=4&transport=polling&token=${FORGED}`);
  expect(poll.status).toBe(400);
  expect((await fetch(`${shop.url}/soc/socket.io/socket.io.js`)).status).not.toBe(200);
  const { manager } = await join(await newToken(), '203.0.113.44');
  expect((rawOf(manager) as unknown as { extensions: string }).extensions).toBe('');
  manager.engine.close();
});

test('S50 a token has at most three sockets', async () => {
  const token = await newToken();
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push((await join(token, '203.0.113.50')).answer);
  expect(answers).toEqual(['connected', 'connected', 'connected', '8003']);
});

test('FS10 S47 an order token has 128 random bits, admits to that order only, and ends with it', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const token = ofOrder(metadata);
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(await newToken()).not.toBe(token);
  const dump = await shop.db.selectFrom('shop_order').selectAll().execute();
  expect(JSON.stringify(dump)).not.toContain(token);
  // It is no token of a customer.
  const call = await fetch(`${shop.url}/v1/auth/profile`, { headers: { authorization: `Bearer ${token}` } });
  expect(call.status).toBe(401);

  const email = 'ends@example.com';
  const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
  expect(bought.token).toBe(token);
  const { manager, answer } = await join(token);
  expect(answer).toBe('connected');
  await confirmCard(shop, cardPaymentOf(bought.data));
  const state = async () => (await shop.client.order.purchaseData({ body: { metadata } })).data!;
  await until(async () => (await state()).status === 'fulfilled', 'the delivery');
  expect((await join(token)).answer).toBe('8003');
  await until(async () => (await state()).subscription?.status === 'active', 'the subscription');
  await ended(manager);
});

test('FS10 S47 a token ends with an unpaid order', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: 'late@example.com', language: 'en' as const };
  await shop.client.order.purchase({ body });
  const { manager, answer } = await join(ofOrder(metadata));
  expect(answer).toBe('connected');
  shop.clock.advance(25 * 60 * MINUTE_MS);
  await shop.sweep();
  await ended(manager);
  expect((await join(ofOrder(metadata))).answer).toBe('8003');
});

test('FS10 S47 a token ends with an order that was never submitted', async () => {
  const { manager, answer } = await join(await newToken());
  expect(answer).toBe('connected');
  shop.clock.advance(25 * 60 * MINUTE_MS);
  await shop.sweep();
  await ended(manager);
});

test('S22 a socket ends when its session expires', async () => {
  const { token } = await shop.customer('idle');
  const { manager, answer } = await join(token, '203.0.113.70');
  expect(answer).toBe('connected');
  shop.clock.advance(13 * DAY_MS);
  rawOf(manager).send('3');
  await new Promise(done => setTimeout(done, 200));
  expect(manager.engine.readyState).toBe('open');
  shop.clock.advance(DAY_MS);
  rawOf(manager).send('3');
  await ended(manager);
});

test('FC13 S52 live events carry states and IDs, and no personal data', async () => {
  const heard: unknown[] = [];
  const { token, client, subscriptionId, email } = await shop.customer('listener');
  const { manager } = await join(token, '203.0.113.60');
  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
  const order = await join(bought.token!, '203.0.113.61');
  for (const socket of [manager.socket('/'), order.manager.socket('/')])
    socket.onAny((...event) => heard.push(event));
  await confirmCard(shop, cardPaymentOf(bought.data));
  const { data: key } = await client.subscription.addKey({ body: { subscriptionId, name: 'my-phone' } });
  await client.subscription.deleteKey({ body: { subscriptionId, keyId: key!.id } });
  const events = () => JSON.stringify(heard);
  await until(async () => /fulfilled/.test(events()) && /DELETE_KEY/.test(events()), 'the events');
  expect(events()).not.toMatch(/@|my-phone|4242|\d+\.\d+\.\d+\.\d+/);
  expect(events()).not.toContain(parseMetadata(metadata)!.reference);
  // The types allow no other fields either.
  for (const [name, schema] of Object.entries(liveEvents)) {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    for (const field of fields) expect(['message', 'status', 'code', 'event', 'id'], name).toContain(field);
  }
});

afterAll(() => {
  for (const manager of managers) manager.engine?.close();
});
