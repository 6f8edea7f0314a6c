import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createPaypalCheck } from './check.ts';
import { openPaypal, reach } from './client.ts';
import { amountOf, moneyOf } from './money.ts';
import type { PaypalSettings } from './settings.ts';

const calls: string[] = [];
let answer: { status: number; body: string; location?: string };
const provider = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`);
  const isToken = request.url === '/v1/oauth2/token';
  const { status, body, location } = isToken
    ? { status: 200, body: JSON.stringify({ access_token: 'SECRET-TOKEN', token_type: 'Bearer' }) }
    : answer;
  response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(body);
});
let settings: PaypalSettings;
beforeAll(async () => {
  await new Promise<void>(done => provider.listen(0, '127.0.0.1', done));
  const apiOrigin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  settings = {
    clientId: 'id',
    secret: 'secret',
    webhookId: 'W',
    apiOrigin,
    authorityFile: undefined,
    keepsAccounts: false,
    brandName: 'Fixpoint',
    returnUrl: '',
    cancelUrl: '',
    clock: { now: () => new Date(0) },
  };
});
afterAll(() => provider.close());
afterEach(() => {
  calls.length = 0;
  vi.restoreAllMocks();
});

test('P5 every call goes to the address in the settings, and nowhere else', async () => {
  const fetches = vi.spyOn(globalThis, 'fetch');
  answer = { status: 200, body: '{"id":"O1","status":"APPROVED"}' };
  const { orders, payments } = openPaypal(settings);
  await reach(orders.getOrder({ id: 'O1' }));
  await reach(payments.getRefund({ refundId: 'R1' }));
  expect(calls).toEqual([
    'POST /v1/oauth2/token',
    'GET /v2/checkout/orders/O1?',
    'GET /v2/payments/refunds/R1',
  ]);
  expect(fetches.mock.calls).toHaveLength(3);
  for (const [address] of fetches.mock.calls) expect(String(address)).toMatch(settings.apiOrigin);
});

test('a redirection to somewhere else is not followed', async () => {
  answer = { status: 302, body: '', location: `${settings.apiOrigin}/elsewhere` };
  await expect(reach(openPaypal(settings).orders.getOrder({ id: 'O1' }))).rejects.toMatchObject({
    fault: 'providerUnreachable',
  });
  expect(calls).not.toContain('GET /elsewhere');
});

test('P32 a refusal names its reason and PayPal’s number for it, and no token', async () => {
  answer = {
    status: 422,
    body: JSON.stringify({
      name: 'UNPROCESSABLE_ENTITY',
      message: 'No.',
      debug_id: 'f00ba4',
      details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED' }],
    }),
  };
  const error = await reach(openPaypal(settings).orders.getOrder({ id: 'O1' })).catch((e: unknown) => e);
  expect(error).toMatchObject({
    status: 422,
    issue: 'PAYEE_ACCOUNT_RESTRICTED',
    message: 'PayPal refused with 422: PAYEE_ACCOUNT_RESTRICTED (debug id f00ba4)',
  });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
});

test('P30 the check reports that PayPal has not allowed saved accounts, if the shop wants them', async () => {
  answer = { status: 404, body: '{}' };
  const about = async (keepsAccounts: boolean) =>
    (await createPaypalCheck(openPaypal({ ...settings, keepsAccounts }), 'https://shop.example').run()).find(
      each => each.about === 'PAYPAL_RECURRING',
    );
  expect((await about(true))?.missing).toContain('has not allowed');
  expect(await about(false)).toBeUndefined();
});

test.each([
  ['THB', 199_00, '199.00'],
  ['USD', 5, '0.05'],
  ['EUR', 1_234_567_89, '1234567.89'],
  ['JPY', 2_500_00, '2500'],
  ['TWD', 100_00, '100'],
])('%s %d is written %s, and read back', (currency, amount, value) => {
  expect(moneyOf(currency, amount)).toEqual({ currencyCode: currency, value });
  expect(amountOf({ currencyCode: currency, value })).toBe(amount);
});

test('a fraction of a currency without minor units cannot be requested', () => {
  expect(() => moneyOf('JPY', 2_500_50)).toThrow(RangeError);
});

test('PayPal is not offered in a currency that it does not take', () => {});
