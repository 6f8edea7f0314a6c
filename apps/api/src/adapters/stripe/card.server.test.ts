import { confirmIntent } from '@fixpoint/testkit/buyer.ts';
import type { Failure, GatewayCall, GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import { startInbox } from '@fixpoint/testkit/inbox.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { manualClock } from '@fixpoint/testkit/shop.ts';
import Stripe from 'stripe';
import type { Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';
import { openStripe } from './client.ts';

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

gatewaySuite('cards at Stripe', async (): Promise<GatewayDriver> => {
  const clock = manualClock();
  const inbox = await startInbox();
  const sandbox = await startTestSandbox({ clock, webhooks: inbox.url, shopOrigins: [inbox.url] });
  const { hostname: host, port } = new URL(sandbox.url);
  const at = { host, port: Number(port), protocol: 'http' as const };
  const secret = sandbox.secretKey;
  const confirm = async ({ payable }: Reported, card: string) => {
    if (payable?.kind !== 'confirm') throw new Error('Nothing to confirm');
    return confirmIntent(sandbox, payable.clientSecret, card);
  };
  return {
    gateway: createStripeCard(
      openStripe({ ...at, secret, webhookSecrets: ['whsec_next', sandbox.webhookSecret], clock }),
    ),
    currencies: ['THB', 'EUR', 'JPY'],
    namesRefunds: true,
    staleAfterMs: 10 * 60_000,
    async pay(payment) {
      const { status } = await confirm(payment, 'pm_card_visa');
      if (status !== 200) throw new Error(`Not paid: ${status}`);
    },
    decline: async payment => void (await confirm(payment, 'pm_card_visa_chargeDeclinedLostCard')),
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
});
