import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import { startTestSandbox, type TestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { type ManualClock, manualClock } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCertificates, trusted } from './certificates.ts';
import type { PaypalSettings } from './settings.ts';
import { webhookEventsOf } from './webhook.ts';

let sandbox: TestSandbox;
let clock: ManualClock;
const body = Buffer.from(
  JSON.stringify({
    id: 'WH-1',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: { id: 'C1', custom_id: 'att_1', supplementary_data: { related_ids: { order_id: 'O1' } } },
  }),
);
beforeAll(async () => {
  clock = manualClock();
  sandbox = await startTestSandbox({ shopUrl: 'http://127.0.0.1:9', clock });
});
afterAll(() => sandbox.stop());
afterEach(() => vi.restoreAllMocks());

const settings = (): PaypalSettings => ({
  clientId: '',
  secret: '',
  webhookId: sandbox.paypal.webhook.id,
  apiOrigin: sandbox.url,
  authorityFile: sandbox.paypal.authorityFile,
  keepsAccounts: false,
  brandName: '',
  clock,
  returnUrl: '',
  cancelUrl: '',
});
/** The shop's memory of proven URLs. */
function remembered() {
  const addresses = new Set<string>();
  return {
    has: async (address: string) => addresses.has(address),
    add: async (address: string) => void addresses.add(address),
  };
}
const reader = (change: Partial<PaypalSettings> = {}, proved = remembered()) => {
  const certificates = createCertificates({ ...settings(), ...change }, proved);
  return (headers: Record<string, string>, network = 'one') =>
    webhookEventsOf(sandbox.paypal.webhook.id, certificates, { body, headers, network });
};
const signed = () => sandbox.signAsPaypal(body.toString());

test('S39 a delivery signed by PayPal is read, and its certificate is fetched once', async () => {
  const read = reader();
  const fetches = vi.spyOn(globalThis, 'fetch');
  for (let times = 0; times < 3; times += 1) expect(await read(await signed())).toHaveLength(1);
  expect(fetches).toHaveBeenCalledTimes(1);
});

test('S39 a certificate URL of any other origin is refused without a request', async () => {
  const headers = await signed();
  const { port } = new URL(sandbox.url);
  const asked: string[] = [];
  const thief = createServer((request, response) => {
    asked.push(request.url!);
    response.end();
  });
  thief.listen(0, '127.0.0.1');
  await once(thief, 'listening');
  const theirs = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  const path = new URL(headers['paypal-cert-url']!).pathname;
  const fetches = vi.spyOn(globalThis, 'fetch');
  for (const address of [
    `${theirs}${path}`,
    `http://localhost:${port}${path}`,
    `https://127.0.0.1:${port}${path}`,
    `http://user@127.0.0.1:${port}${path}`,
    `${sandbox.url}${path}?x=1`,
    `${sandbox.url}/paypal`,
    'file:///etc/passwd',
    '/v1/notifications/certs/CERT-sandbox',
    '',
  ]) {
    expect(await reader()({ ...headers, 'paypal-cert-url': address }), address).toBe('forged');
  }
  expect(fetches).not.toHaveBeenCalled();
  expect(asked).toEqual([]);
  thief.close();
});

test('S39 a certificate in PayPal’s name from an unknown authority is refused', async () => {
  expect(await reader({ authorityFile: undefined })(await signed())).toBe('forged');
});

test('S39 a missing certificate means forged, a failed fetch is retried later', async () => {
  const headers = await signed();
  const none = { ...headers, 'paypal-cert-url': `${headers['paypal-cert-url']}-of-nobody` };
  expect(await reader()(none)).toBe('forged');
  vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed'));
  const read = reader();
  await expect(read(headers)).rejects.toMatchObject({ fault: 'providerUnreachable' });
  expect(await read(headers)).toHaveLength(1);
});

test('S39 fetches of new certificate URLs are limited', async () => {
  const headers = await signed();
  const read = reader();
  const fetches = vi.spyOn(globalThis, 'fetch');
  const named = (n: number) => ({ ...headers, 'paypal-cert-url': `${headers['paypal-cert-url']}-${n}` });
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => read(named(n), `of ${n % 10}`)),
  );
  expect(fetches).toHaveBeenCalledTimes(10);
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(40);
  clock.advance(60_000);
  expect(await read(headers)).toHaveLength(1);
});

test('SE7 S39 one network uses up its own fetches, and strangers together none of a network that PayPal delivers from', async () => {
  const headers = await signed();
  const named = (n: number) => ({ ...headers, 'paypal-cert-url': `${headers['paypal-cert-url']}-${n}` });
  const read = reader();
  const fetches = vi.spyOn(globalThis, 'fetch');
  const fire = (from: number, networkOf: (n: number) => string) =>
    Promise.allSettled(Array.from({ length: 20 }, (_, n) => read(named(from + n), networkOf(n))));
  await fire(0, () => 'a stranger');
  expect(fetches).toHaveBeenCalledTimes(3);
  expect(await read(headers, 'paypal')).toHaveLength(1);
  // Its certificate changes while strangers from everywhere name made-up ones.
  await fire(100, n => `stranger ${n}`);
  fetches.mockClear();
  expect(await read(named(200), 'paypal')).toBe('forged');
  expect(fetches).toHaveBeenCalledTimes(1);
});

test('S39 a stranger with ever new certificate URLs does not block a known one, before and after a restart', async () => {
  const headers = await signed();
  const named = (n: number) => ({ ...headers, 'paypal-cert-url': `${headers['paypal-cert-url']}-${n}` });
  const proved = remembered();
  const read = reader({}, proved);
  expect(await read(headers)).toHaveLength(1);
  const fire = (at: typeof read) =>
    Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => at(named(Math.trunc(clock.now().getTime() / 1000) + n))),
    );
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await fire(read);
    expect(await read(headers)).toHaveLength(1);
    clock.advance(60_000);
  }
  const restarted = reader({}, proved);
  await fire(restarted);
  expect(await restarted(headers)).toHaveLength(1);
  // A proven URL that is gone is fetched at most once a minute, however often it is named.
  const gone = `${headers['paypal-cert-url']}-gone`;
  await proved.add(gone);
  const fetches = vi.spyOn(globalThis, 'fetch');
  for (let n = 0; n < 5; n += 1) await restarted({ ...headers, 'paypal-cert-url': gone }).catch(() => {});
  expect(fetches).toHaveBeenCalledTimes(1);
});

test.each<[string, object, string, string, string | null, boolean]>([
  [
    'CHECKOUT.ORDER.APPROVED',
    { id: 'O1', purchase_units: [{ custom_id: 'att_1' }] },
    'payment',
    'O1',
    'att_1',
    false,
  ],
  ['CHECKOUT.PAYMENT-APPROVAL.REVERSED', { order_id: 'O1' }, 'payment', 'O1', null, false],
  [
    'PAYMENT.CAPTURE.PENDING',
    { id: 'C1', custom_id: 'att_1', supplementary_data: { related_ids: { order_id: 'O1' } } },
    'payment',
    'O1',
    'att_1',
    false,
  ],
  ['PAYMENT.CAPTURE.REFUNDED', { id: 'R1', custom_id: 'ref_1' }, 'refund', 'R1', 'ref_1', true],
  ['PAYMENT.REFUND.FAILED', { id: 'R1', custom_id: 'ref_1' }, 'refund', 'R1', 'ref_1', true],
  ['PAYMENT.CAPTURE.REVERSED', { id: 'R1', amount: {} }, 'dispute', 'R1', null, false],
  ['CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' }, 'dispute', 'PP-D-1', null, false],
  ['VAULT.PAYMENT-TOKEN.DELETED', { id: 'tok1' }, 'method', 'tok1', null, false],
])('%s of %j is about %s %s', async (type, resource, about, ref, ours, moved) => {
  const news = Buffer.from(JSON.stringify({ id: 'WH-2', event_type: type, resource }));
  const certificates = createCertificates(settings(), remembered());
  const headers = await sandbox.signAsPaypal(news.toString());
  expect(
    await webhookEventsOf(sandbox.paypal.webhook.id, certificates, { body: news, headers, network: 'one' }),
  ).toEqual([{ eventId: 'WH-2', type, about, ref, ours, moved }]);
});

test('an event that moves nothing of ours is ignored', async () => {
  const certificates = createCertificates(settings(), remembered());
  for (const type of ['VAULT.PAYMENT-TOKEN.CREATED', 'BILLING.PLAN.CREATED', 'PAYMENT.CAPTURE.COMPLETED']) {
    const news = Buffer.from(JSON.stringify({ id: 'WH-3', event_type: type, resource: {} }));
    const headers = await sandbox.signAsPaypal(news.toString());
    expect(
      await webhookEventsOf(sandbox.paypal.webhook.id, certificates, { body: news, headers, network: 'one' }),
      type,
    ).toEqual([]);
  }
});

test('S39 another algorithm, another body or missing headers are forged', async () => {
  const headers = await signed();
  const read = reader();
  expect(await read({ ...headers, 'paypal-auth-algo': 'none' })).toBe('forged');
  expect(await read({ ...headers, 'paypal-transmission-id': 'another' })).toBe('forged');
  expect(await read({ ...headers, 'paypal-transmission-sig': 'AAAA' })).toBe('forged');
  for (const name of Object.keys(headers).filter(each => each.startsWith('paypal-'))) {
    const { [name]: _, ...rest } = headers;
    expect(await read(rest), name).toBe('forged');
  }
});

test('S39 a chain is trusted while it is valid, and only in PayPal’s name', async () => {
  const headers = await signed();
  const pem = await (await fetch(headers['paypal-cert-url']!)).text();
  const authority = new X509Certificate(await readFile(sandbox.paypal.authorityFile));
  const at = (when: string) => trusted(pem, [authority], new Date(when));
  expect(at('2026-11-20')).toBeDefined();
  expect(at('2019-12-31')).toBeUndefined();
  expect(at('2060-01-02')).toBeUndefined();
  expect(trusted('', [authority], clock.now())).toBeUndefined();
  // A valid certificate of somebody else that leads to an authority.
  expect(
    trusted(rootCertificates[0]!, [new X509Certificate(rootCertificates[0]!)], clock.now()),
  ).toBeUndefined();
});
