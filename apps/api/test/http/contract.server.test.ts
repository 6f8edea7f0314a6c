import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { setMaintenance } from '../../src/modules/text/index.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const all = Object.values(calls).flatMap(group => Object.values(group)) as Endpoint[];

test('E10 all 46 specified calls exist and are described', async () => {
  const { account: _, guest: __, payLink: _pl, allowList: _al, team: _t, member: _mb, ...specified } = calls;
  // Documents, a year of them, the company of invoices, the state of an invoice and a downgrade are our own additions.
  const {
    getDocument: ___,
    billedYears: _y,
    exportInvoices: _e,
    getCompany: _gc,
    setCompany: _sc,
    ...billing
  } = specified.billing;
  const { askInvoice: ____, ...payment } = specified.payment;
  // So is the rest of a replaced subscription.
  const { getReplacement: _____, ...order } = specified.order;
  // And labels, withdrawal, connection state, diagnosis, the link to a file, the line test, forwarded ports, and
  // devices for others.
  const {
    planDowngrade: _p,
    withdrawal: _w,
    withdraw: _wd,
    connected: _c,
    diagnose: _d,
    restartServer: _r,
    linkKey: _l,
    fetchKey: _f,
    measure: _m,
    forwardPort: _fp,
    addKeyFor: _kf,
    renameSubscription: _rs,
    ...subscription
  } = specified.subscription;
  expect(
    Object.values({ ...specified, billing, payment, order, subscription }).flatMap(group =>
      Object.values(group),
    ),
  ).toHaveLength(46);
  const document = (await (await fetch(`${shop.url}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  for (const { method, path } of all) {
    expect(document.paths[path.replace(/:(\w+)/g, '{$1}')], path).toHaveProperty(method.toLowerCase());
  }
  const page = await (await fetch(`${shop.url}/docs`)).text();
  for (const { path } of all) expect(page).toContain(path);
});

test('prices contain VAT, and the parts add up', async () => {
  const { data } = await shop.client.order.getAllPlan({ query: {} });
  expect(data).toMatchObject({ currency: 'THB', vatRate: 0.07 });
  const prices = data!.plans.flatMap(plan => plan.prices);
  expect(prices).toHaveLength(12);
  for (const { price, net, vat, renewal } of prices) {
    expect(net + vat).toBe(price);
    expect(renewal).toBeGreaterThanOrEqual(price);
  }
  expect(prices.filter(({ firstYear }) => firstYear).map(({ cycleCount }) => cycleCount)).toEqual([
    12, 12, 12,
  ]);
  const none = await shop.client.order.getAllPlan({ query: { currency: 'EUR' } });
  expect(none).toMatchObject({ status: 400, code: '6002' });
});

test('a call that does not exist is not found', async () => {
  const missing = await fetch(`${shop.url}/v1/nothing`);
  expect(missing.status).toBe(404);
});

test('maintenance blocks purchases but no reads', async () => {
  const { consent } = await beginOrder(shop.client);
  const says = async () => (await shop.client.text.getMaintainerStatus()).data;
  await setMaintenance(shop.db, liveBus, true);
  await until(async () => (await says()) === 'MAINTENANCE', 'the node to hear of it');
  const answer = await shop.client.order.purchase({
    body: { ...consent, email: 'm@example.com', language: 'en' },
  });
  expect(answer).toMatchObject({ status: 503, code: '9904' });
  await setMaintenance(shop.db, liveBus, false);
  await until(async () => (await says()) === 'NORMAL', 'the node to hear that it is over');
});

const connect = (token: string, extraHeaders: Record<string, string> = {}) =>
  io(shop.url, {
    path: '/soc/socket.io/',
    query: { token },
    transports: ['websocket'],
    reconnection: false,
    extraHeaders,
    forceNew: true,
  });
const outcome = (socket: ReturnType<typeof connect>) =>
  new Promise<string>(resolve => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', error => resolve(error.message));
  });

test('S51 the live socket of an order receives its payment events, and serves no other order', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({
    body: { ...consent, email: 'live@example.com', language: 'en' },
  });
  const socket = connect(bought.token!);
  expect(await outcome(socket)).toBe('connected');
  const ask = (check: string) =>
    new Promise<string>(resolve => {
      socket.once('orderCheck', resolve);
      socket.emit('orderCheck', check);
    });
  const check = metadata.split('|')[5]!;
  expect(await ask(check)).toBe('pending');
  expect(await ask('another')).toBe('fail');
  const paid = new Promise<string>(resolve => {
    socket.once('STATUS', () => resolve(ask(check)));
  });
  await confirmCard(shop, cardPaymentOf(bought.data));
  expect(await paid).toBe('success');
  await until(async () => !socket.connected, 'the end of the order, and with it of its socket');
});

test('S49 a socket without a token, with a wrong one or from another site is refused', async () => {
  for (const token of ['', 'x', '0'.repeat(32)]) {
    const socket = connect(token);
    expect(await outcome(socket)).toBe('8003');
    socket.close();
  }
  const foreign = connect('0'.repeat(32), { origin: 'https://evil.example' });
  expect(await outcome(foreign)).not.toBe('connected');
  foreign.close();
});

test('a customer’s socket receives events of their keys and ends with their session', async () => {
  const { client, token, subscriptionId } = await shop.customer('listener');
  const socket = connect(token);
  expect(await outcome(socket)).toBe('connected');
  const heard: string[] = [];
  socket.on('NOTIFICATION', event => heard.push(event.message));
  const added = await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  expect(added.code).toBe('0000');
  await until(async () => heard.includes('CREATE_KEY'), 'NOTIFICATION');
  await createClient(shop.url, token).auth.logout();
  await until(async () => !socket.connected, 'the end of the socket');
});

test('S78 S79 a host’s token enrols once, and a host acts only for itself', async () => {
  const { startFakeHost } = await import('@fixpoint/testkit/fake-host.ts');
  await expect(startFakeHost({ socketPath: shop.agentSocket }, shop.hostToken)).rejects.toThrow('403');
  const { subscriptionId, client } = await shop.customer('theirs');
  const { id: keyId } = (await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } })).data!;
  const place = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
  const other = await shop.addHost('bkk-9', place, '198.51.100.0/28');
  const { revision } = await until(async () => other.set(), 'what the other host runs');
  await other.shop.report({
    revision,
    agentVersion: 'fake',
    openvpnVersion: 'none',
    subscriptions: [{ id: subscriptionId, state: 'failed' as const }],
    drift: [],
    epoch: '0'.repeat(32),
    usage: [{ keyId, day: bangkokDay(shop.clock.now()), downBytes: 1, upBytes: 1 }],
  });
  expect(await shop.db.selectFrom('key_usage').selectAll().execute()).toEqual([]);
  const assigned = shop.db.selectFrom('assignment').select('status');
  expect(await assigned.where('subscription_id', '=', subscriptionId).execute()).toEqual([{ status: 'up' }]);
});
