import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { unexplained } from '../../../test/payment/payments-guide.ts';
import { createStripeCheck, EVENTS } from './check.ts';
import type { StripeClient } from './client.ts';

const now = new Date('2026-11-24T12:00:00Z');
const URL = 'https://shop.example/webhooks/stripe';
const endpoint = {
  url: URL,
  status: 'enabled',
  enabled_events: [...EVENTS],
  api_version: Stripe.API_VERSION as string | null,
};
const good = {
  chargesEnabled: true,
  capabilities: { card_payments: 'active', promptpay_payments: 'active' } as Record<string, string>,
  secondsApart: 0,
  intents: [{ id: 'pi_1', client_secret: 'pi_1_secret' }],
  /** Payments that the publishable key can read. */
  readable: ['pi_1'],
  endpoints: [endpoint],
};

/** Missing preconditions of an account as given. */
async function missingAt(change: Partial<typeof good> = {}): Promise<string[]> {
  const { chargesEnabled, capabilities, secondsApart, intents, readable, endpoints } = { ...good, ...change };
  const date = new Date(now.getTime() + secondsApart * 1000).toUTCString();
  const none = { list: async () => ({ data: [] }) };
  const stripe = {
    accounts: {
      retrieveCurrent: async () => ({
        charges_enabled: chargesEnabled,
        capabilities,
        lastResponse: { headers: { date } },
      }),
    },
    paymentIntents: {
      list: async () => ({ data: intents }),
      retrieve: async (id: string, _: object, { apiKey }: { apiKey: string }) => {
        if (apiKey === 'pk_test_1' && readable.includes(id)) return { id };
        throw new Stripe.errors.StripeInvalidRequestError({
          type: 'invalid_request_error',
          message: `No such payment_intent: '${id}'`,
        });
      },
    },
    webhookEndpoints: { list: async () => ({ data: endpoints }) },
    customers: none,
    setupIntents: none,
    paymentMethods: none,
    refunds: none,
    charges: none,
    balanceTransactions: none,
    disputes: none,
    payouts: none,
  };
  const client = { stripe, settings: { clock: { now: () => now } } } as unknown as StripeClient;
  const shop = { publicUrl: 'https://shop.example', promptPay: true, publishableKey: 'pk_test_1' };
  const found = await createStripeCheck(client, shop).run();
  const missing = found.flatMap(({ about, missing }) => (missing ? [`${about}: ${missing}`] : []));
  expect(unexplained(missing)).toEqual([]);
  return missing;
}

test.each<[string, Partial<typeof good>, string[]]>([
  ['that is good', {}, []],
  [
    'that Stripe has not enabled',
    { chargesEnabled: false },
    ['account: Stripe has not enabled charges: finish its questions'],
  ],
  [
    'whose methods are pending or not requested',
    { capabilities: { card_payments: 'pending' } },
    ['card_payments: is pending', 'promptpay_payments: is not asked for'],
  ],
  [
    'with the publishable key of another account',
    { readable: [] },
    ['STRIPE_PUB: is of another account: nobody can pay'],
  ],
  ['that nobody has paid yet', { intents: [] }, []],
  ['whose clock differs by 150 s', { secondsApart: 150 }, []],
  [
    'whose clock differs by more',
    { secondsApart: -151 },
    ["clock: this machine differs by 151 s from Stripe's clock: webhooks will be refused"],
  ],
  ['that sends all events', { endpoints: [{ ...endpoint, enabled_events: ['*'] }] }, []],
  [
    'that sends too few events',
    { endpoints: [{ ...endpoint, enabled_events: EVENTS.slice(2) }] },
    [`webhook events: not sent: ${EVENTS[0]}, ${EVENTS[1]}`],
  ],
  [
    'whose webhook has an older API version',
    { endpoints: [{ ...endpoint, api_version: '2024-04-10' }] },
    [`webhook version: is 2024-04-10, this shop reads ${Stripe.API_VERSION}`],
  ],
  [
    'whose webhook has the account’s own API version',
    { endpoints: [{ ...endpoint, api_version: null }] },
    [`webhook version: is the account’s own, this shop reads ${Stripe.API_VERSION}`],
  ],
  [
    'whose webhook is switched off',
    { endpoints: [{ ...endpoint, status: 'disabled' }] },
    [`webhook: no enabled endpoint for ${URL}: make one in API version ${Stripe.API_VERSION}`],
  ],
])('an account %s', async (_, change, missing) => {
  expect(await missingAt(change)).toEqual(missing);
});
