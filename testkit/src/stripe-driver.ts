import { openStripe, type StripeClient } from '@fixpoint/api/adapters/stripe/client.ts';
import type { PaymentGateway, Reported } from '@fixpoint/api/ports/payment-gateway.ts';
import Stripe from 'stripe';
import type { Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';
import { startInbox } from './inbox.ts';
import { startTestSandbox, type TestSandbox } from './sandbox.ts';
import { manualClock } from './shop.ts';

const PATHS: Record<GatewayCall, string> = {
  createPayer: 'POST /v1/customers',
  start: 'POST /v1/payment_intents',
  ask: 'GET /v1/payment_intents*',
  close: 'POST /v1/payment_intents/*/cancel',
  refund: 'POST /v1/refunds',
  askRefund: 'GET /v1/refunds*',
};
const FAULTS: Record<Failure, string> = {
  lost: 'commitThenDropConnection',
  silent: 'drop',
  garbled: 'truncateBody',
  faulty: '500',
  busy: '409',
};
/** More often than the SDK tries. */
const OFTEN = 100;

/** What the suite needs of a method at Stripe: the buyer's part is the method's own. */
export async function stripeDriver(
  create: (client: StripeClient) => PaymentGateway,
  buyer: (sandbox: TestSandbox) => {
    currencies: readonly string[];
    pay(payment: Reported): Promise<void>;
    decline?(payment: Reported): Promise<void>;
  },
): Promise<GatewayDriver> {
  const clock = manualClock();
  const inbox = await startInbox();
  const sandbox = await startTestSandbox({ clock, webhooks: inbox.url, shopOrigins: [inbox.url] });
  const { hostname: host, port } = new URL(sandbox.url);
  const at = { host, port: Number(port), protocol: 'http' as const };
  const secret = sandbox.secretKey;
  return {
    gateway: create(
      openStripe({ ...at, secret, webhookSecrets: ['whsec_next', sandbox.webhookSecret], clock }),
    ),
    ...buyer(sandbox),
    namesRefunds: true,
    staleAfterMs: 10 * 60_000,
    bounce: async refund => void (await sandbox.control('refunds/settle', { refund, outcome: 'failed' })),
    break: async (call, how) => void (await sandbox.fault({ path: PATHS[call] }, FAULTS[how], OFTEN)),
    hide: async () => void (await sandbox.fault({ list: '/v1/*' }, { late: 60_000 }, OFTEN)),
    calm: async () => void (await sandbox.calm()),
    advance: clock.advance,
    deliveries: inbox.deliveries,
    sign: body => ({
      body,
      headers: {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload: body.toString(),
          secret: sandbox.webhookSecret,
          timestamp: Math.floor(clock.now().getTime() / 1000),
        }),
      },
    }),
    ofAnotherAccount: body =>
      Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), account: 'acct_another' })),
    async stop() {
      await sandbox.stop();
      await inbox.stop();
    },
  };
}
