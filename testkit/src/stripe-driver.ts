import { openStripe, type StripeClient } from '@fixpoint/api/adapters/stripe/client.ts';
import type { PaymentGateway } from '@fixpoint/api/ports/payment-gateway.ts';
import Stripe from 'stripe';
import type { Delivery, GatewayDriver } from './gateway-driver.ts';
import { sandboxDriver } from './gateway-sandbox.ts';
import type { TestSandbox } from './sandbox.ts';

const PATHS = {
  createGatewayCustomer: 'POST /v1/customers',
  start: 'POST /v1/payment_intents',
  ask: 'GET /v1/payment_intents*',
  close: 'POST /v1/payment_intents/*/cancel',
  capture: 'POST /v1/payment_intents/*/confirm',
  refund: 'POST /v1/refunds',
  askRefund: 'GET /v1/refunds*',
};

/** Driver of a payment method at Stripe; the buyer's actions come from the method's own test. */
export async function stripeDriver(
  create: (client: StripeClient) => PaymentGateway,
  buyer: (
    sandbox: TestSandbox,
    stripe: Stripe,
  ) => Pick<GatewayDriver, 'currencies' | 'pay' | 'decline' | 'spoil' | 'makeCard'>,
): Promise<GatewayDriver> {
  const { sandbox, clock, driver } = await sandboxDriver('stripe', PATHS, '/v1/*');
  const { hostname: host, port } = new URL(sandbox.url);
  const client = openStripe({
    host,
    port: Number(port),
    protocol: 'http',
    secret: sandbox.secretKey,
    webhookSecrets: ['whsec_next', sandbox.webhookSecret],
    callsPerSecond: 25,
    clock,
  });
  const sign = async (body: Buffer): Promise<Delivery> => ({
    body,
    headers: {
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({
        payload: body.toString(),
        secret: sandbox.webhookSecret,
        timestamp: Math.floor(clock.now().getTime() / 1000),
      }),
    },
  });
  return {
    ...driver,
    ...buyer(sandbox, client.stripe),
    gateway: create(client),
    findsPayments: true,
    namesRefunds: true,
    staleAfterMs: 5 * 60_000,
    bounce: async refund => void (await sandbox.control('refunds/settle', { refund, outcome: 'failed' })),
    sign,
    signForAnother: body =>
      sign(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), account: 'acct_another' }))),
  };
}
