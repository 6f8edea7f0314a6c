import { expect, test } from 'vitest';
import { unexplained } from '../../../test/payment/payments-guide.ts';
import { createPaypalCheck } from './check.ts';
import { type PaypalClient, PaypalRefused } from './client.ts';

const now = new Date('2026-11-24T12:00:00Z');
const URL = 'https://shop.example/webhooks/paypal';
const VAULT = 'https://uri.paypal.com/services/vault/payment-tokens/readwrite';
const EVERYTHING = ['*'];
const good = {
  webhook: { url: URL, events: EVERYTHING } as { url: string; events: string[] } | number,
  keepsAccounts: true,
  scopes: ['https://uri.paypal.com/services/payments/refund', VAULT],
  secondsApart: 0,
};

/** Missing preconditions at an app as given. */
async function missingAt(change: Partial<typeof good> = {}): Promise<string[]> {
  const { webhook, keepsAccounts, scopes, secondsApart } = { ...good, ...change };
  const date = new Date(now.getTime() + secondsApart * 1000).toUTCString();
  const client = {
    get: async (_: unknown, path: string) => {
      if (!path.startsWith('v1/notifications')) return {};
      if (typeof webhook === 'number') throw new PaypalRefused({ statusCode: webhook, body: '{}' });
      return { url: webhook.url, event_types: webhook.events.map(name => ({ name })) };
    },
    scopes: async () => scopes,
    search: { searchTransactions: async () => ({ result: {}, headers: { date } }) },
    settings: { webhookId: 'WH-1', keepsAccounts, clock: { now: () => now } },
  };
  const found = await createPaypalCheck(client as unknown as PaypalClient, 'https://shop.example').run();
  const missing = found.flatMap(({ about, missing }) => (missing ? [`${about}: ${missing}`] : []));
  expect(unexplained(missing)).toEqual([]);
  return missing;
}

test.each<[string, Partial<typeof good>, string[]]>([
  ['that is good', {}, []],
  ['with an unknown key', { webhook: 401 }, ['PAYPAL_SECRET: PayPal does not know id and secret']],
  ['that has no such webhook', { webhook: 404 }, ['webhook: PAYPAL_WEBHOOK_ID is unknown there (404)']],
  [
    'whose webhook sends too few events',
    { webhook: { url: URL, events: ['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'] } },
    [
      'webhook events: not sent: CHECKOUT.PAYMENT-APPROVAL.REVERSED, PAYMENT.CAPTURE.PENDING, ' +
        'PAYMENT.CAPTURE.DECLINED, PAYMENT.CAPTURE.DENIED, PAYMENT.CAPTURE.REFUNDED, PAYMENT.CAPTURE.REVERSED, ' +
        'VAULT.PAYMENT-TOKEN.DELETED, CUSTOMER.DISPUTE.CREATED, CUSTOMER.DISPUTE.UPDATED, CUSTOMER.DISPUTE.RESOLVED',
    ],
  ],
  [
    'that may not save accounts',
    { scopes: ['https://uri.paypal.com/services/payments/refund'] },
    ['PAYPAL_RECURRING: is vault, which PayPal has not allowed the app: renewals would fail'],
  ],
  ['that may not save accounts, for a shop that saves none', { scopes: [], keepsAccounts: false }, []],
  [
    'whose clock differs',
    { secondsApart: 151 },
    [
      "clock: this machine differs by 151 s from PayPal's clock: the newest payments are compared late, or not at all",
    ],
  ],
])('an app %s', async (_, change, missing) => {
  expect(await missingAt(change)).toEqual(missing);
});
