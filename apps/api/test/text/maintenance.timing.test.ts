import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../helpers/shop-command.ts';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
const sockets: Socket[] = [];
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('managing');
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await shop?.stop();
});

vi.setConfig({ testTimeout: 60_000 });
const maintenance = (state: 'on' | 'off') =>
  runCommand(databaseSettings(shop.databaseUrls), 'maintenance', state, ...(state === 'on' ? ['--yes'] : []));

/** Maintenance events of a page with this token, with their times. */
async function listener(token: string) {
  const socket = io(shop.url, { path: '/soc/socket.io/', query: { token }, transports: ['websocket'] });
  sockets.push(socket);
  const heard: { status: string; at: number }[] = [];
  socket.on('MAINTENANCE', status => heard.push({ status, at: performance.now() }));
  await until(async () => socket.connected, 'the socket');
  return heard;
}

test('one command blocks purchases, notifies open pages within a second and leaves account pages alone', async () => {
  const { consent } = await beginOrder(shop.client);
  const buyer = { ...consent, email: 'buyer@example.com', language: 'en' as const };
  const waiting = await shop.client.order.purchase({ body: { ...buyer } });
  const pages = [await listener(customer.token), await listener(waiting.token!)];

  const other = await beginOrder(shop.client);
  await maintenance('on');
  const [done, allowed] = [performance.now(), watchSlowness()];
  for (const heard of pages) {
    await until(async () => heard.length > 0, 'MAINTENANCE');
    expect(heard[0]!.status).toBe('MAINTENANCE');
    expect(heard[0]!.at - done).toBeLessThan(allowed(1000));
  }
  expect((await shop.client.text.getMaintainerStatus()).data).toBe('MAINTENANCE');
  expect(
    await shop.client.order.purchase({
      body: { ...other.consent, email: 'late@example.com', language: 'en' },
    }),
  ).toMatchObject({ status: 503, code: '9904' });

  const { subscriptionId } = customer;
  const added = await customer.client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  expect(added.code).toBe('0000');
  expect((await customer.client.auth.profile()).code).toBe('0000');

  await maintenance('off');
  for (const heard of pages) await until(async () => heard[1]?.status === 'NORMAL', 'NORMAL');
  const again = await beginOrder(shop.client);
  expect(
    await shop.client.order.purchase({
      body: { ...again.consent, email: 'late@example.com', language: 'en' },
    }),
  ).toMatchObject({ code: '0000' });
});
