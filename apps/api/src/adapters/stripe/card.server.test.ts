import { confirmIntent } from '@fixpoint/testkit/buyer.ts';
import type { Delivery, GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { sandboxDriver } from '@fixpoint/testkit/gateway-sandbox.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import Stripe from 'stripe';
import type { Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';
import { openStripe } from './client.ts';

const PATHS = {
  createPayer: 'POST /v1/customers',
  start: 'POST /v1/payment_intents',
  ask: 'GET /v1/payment_intents*',
  close: 'POST /v1/payment_intents/*/cancel',
  refund: 'POST /v1/refunds',
  askRefund: 'GET /v1/refunds*',
};

gatewaySuite('cards at Stripe', async (): Promise<GatewayDriver> => {
  const { sandbox, clock, driver } = await sandboxDriver('stripe', PATHS, '/v1/*');
  const { hostname: host, port } = new URL(sandbox.url);
  const confirm = async ({ payable }: Reported, card: string) => {
    if (payable?.kind !== 'confirm') throw new Error('Nothing to confirm');
    return confirmIntent(sandbox, payable.clientSecret, card);
  };
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
  const client = openStripe({
    ...{ host, port: Number(port), protocol: 'http', secret: sandbox.secretKey },
    webhookSecrets: ['whsec_next', sandbox.webhookSecret],
    clock,
  });
  const { stripe } = client;
  return {
    ...driver,
    gateway: createStripeCard(client),
    currencies: ['THB', 'EUR', 'JPY'],
    findsPayments: true,
    staleAfterMs: 5 * 60_000,
    async pay(payment) {
      const { status } = await confirm(payment, 'pm_card_visa');
      if (status !== 200) throw new Error(`Not paid: ${status}`);
    },
    decline: async payment => void (await confirm(payment, 'pm_card_visa_chargeDeclinedLostCard')),
    async spoil(_savedRef, payerRef) {
      const refused = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
        customer: payerRef,
      });
      return refused.id;
    },
    bounce: async refund => void (await sandbox.control('refunds/settle', { refund, outcome: 'failed' })),
    sign,
    signForAnother: body =>
      sign(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), account: 'acct_another' }))),
  };
});
