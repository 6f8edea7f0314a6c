import { verify, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { CheckoutPaymentIntent } from '@paypal/paypal-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../delivery/queue.ts';
import { eventually, type Harness, startHarness } from '../testing/harness.ts';
import { paypalClient, soldUnit } from '../testing/paypal-client.ts';
import { providerOptions } from '../testing/provider-options.ts';
import type { Event } from './wire.ts';

type Received = { body: string; headers: IncomingHttpHeaders };

let sandbox: Harness;
let paypal: ReturnType<typeof paypalClient>;
let options: ReturnType<typeof providerOptions>['paypal'];
const received: Received[] = [];
const shop = createServer((request, reply) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    reply.end();
  });
});
beforeAll(async () => {
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  options = providerOptions(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`).paypal;
  sandbox = await startHarness({ paypal: options });
  paypal = paypalClient(sandbox.url, options.clientId, options.secret);
});
afterEach(() => sandbox.control('faults', undefined, 'DELETE'));
afterAll(async () => {
  await sandbox.stop();
  shop.close();
  shop.closeAllConnections();
});

let count = 0;
async function newOrder(): Promise<string> {
  count += 1;
  const { result } = await paypal.orders.createOrder({
    paypalRequestId: `order-${count}`,
    body: {
      intent: CheckoutPaymentIntent.Capture,
      purchaseUnits: [soldUnit(count)],
      paymentSource: {
        paypal: {
          experienceContext: { returnUrl: 'http://127.0.0.1/back', cancelUrl: 'http://127.0.0.1/cancel' },
        },
      },
    },
  });
  return result.id!;
}

async function paid(): Promise<string> {
  const order = await newOrder();
  await sandbox.control('paypal/approve', { order });
  await paypal.orders.captureOrder({ id: order, paypalRequestId: `capture-${order}` });
  return order;
}

const events = () => received.map(({ body }) => JSON.parse(body) as Event);
const typesOf = (order: string) =>
  events()
    .filter(({ resource }) => JSON.stringify(resource).includes(order))
    .map(event => event.event_type);

/** Verifies a transmission as PayPal's documentation describes. */
async function isGenuine({ body, headers }: Received): Promise<boolean> {
  const pem = await (await fetch(String(headers['paypal-cert-url']))).text();
  const certificate = new X509Certificate(pem);
  const authority = new X509Certificate(await readFile(options.authorityFile));
  const signed = [
    headers['paypal-transmission-id'],
    headers['paypal-transmission-time'],
    options.webhook.id,
    crc32(body),
  ].join('|');
  const signature = Buffer.from(String(headers['paypal-transmission-sig']), 'base64');
  return (
    certificate.verify(authority.publicKey) &&
    verify('RSA-SHA256', Buffer.from(signed), certificate.publicKey, signature)
  );
}

describe('PayPal’s webhooks', () => {
  it('report approval and payment in order, each signed for the shop’s webhook', async () => {
    const order = await paid();
    await eventually(() => typesOf(order)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
    for (const one of received) expect(await isGenuine(one)).toBe(true);
    const [first] = received;
    expect(await isGenuine({ ...first!, body: `${first!.body} ` })).toBe(false);
  });

  it('can be signed for another webhook, be doubled, or be lost until redelivery', async () => {
    const fault = (event: string, what: unknown) => sandbox.fault({ provider: 'paypal', event }, what);
    await fault('CHECKOUT.ORDER.APPROVED', 'badSignature');
    await fault('PAYMENT.CAPTURE.COMPLETED', 'drop');
    const order = await paid();
    await eventually(() => typesOf(order)).toEqual(['CHECKOUT.ORDER.APPROVED']);
    expect(await isGenuine(received.at(-1)!)).toBe(false);
    const { deliveries } = await sandbox.control<{ deliveries: Delivery[] }>('deliveries');
    const lost = deliveries.find(({ state }) => state === 'dropped')!;
    await sandbox.control('redeliver', { event: lost.event, times: 2 });
    await eventually(() => typesOf(order)).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.COMPLETED',
    ]);
  });
});

describe('the approval page', () => {
  const answer = (order: string, form: Record<string, string>) =>
    fetch(`${sandbox.url}/checkoutnow?token=${order}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });

  it('needs no script, and returns with the order and the payer', async () => {
    const order = await newOrder();
    const page = await (await fetch(`${sandbox.url}/checkoutnow?token=${order}`)).text();
    expect(page).toContain('THB 199.00');
    expect(page).not.toContain('<script');
    const back = await answer(order, { answer: 'approve', funding: 'balance' });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(`http://127.0.0.1/back?token=${order}&PayerID=BUYER7SANDB2X`);
    expect((await paypal.orders.getOrder({ id: order })).result.status).toBe('APPROVED');
  });

  it('returns after cancelling, and nothing is approved', async () => {
    const order = await newOrder();
    const back = await answer(order, { answer: 'cancel' });
    expect(back.headers.get('location')).toBe(`http://127.0.0.1/cancel?token=${order}`);
    expect((await paypal.orders.getOrder({ id: order })).result.status).toBe('PAYER_ACTION_REQUIRED');
  });

  it('tells about a paid order, and about an unknown one', async () => {
    const page = await fetch(`${sandbox.url}/checkoutnow?token=${await paid()}`);
    expect(await page.text()).toContain('paid already');
    expect((await fetch(`${sandbox.url}/checkoutnow?token=NONE`)).status).toBe(404);
  });
});

it('the state page of PayPal lists orders, payments and webhooks', async () => {
  const order = await paid();
  await eventually(async () => (await fetch(`${sandbox.url}/paypal`)).text()).toMatch(
    new RegExp(`${order}.*COMPLETED.*PAYMENT\\.CAPTURE\\.COMPLETED.*delivered`, 's'),
  );
});
