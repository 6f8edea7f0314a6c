import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { confirmIntent } from '@fixpoint/testkit/buyer.ts';
import type { Delivery, Failure, GatewayCall, GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { manualClock } from '@fixpoint/testkit/shop.ts';
import Stripe from 'stripe';
import type { Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';
import { openStripe } from './client.ts';

const PATHS: Record<Exclude<GatewayCall, 'capture'>, string> = {
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
  const deliveries: Delivery[] = [];
  const inbox = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.end();
    });
  });
  await new Promise<void>(done => inbox.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;
  const sandbox = await startTestSandbox({ shopUrl: origin, clock });
  const { hostname: host, port } = new URL(sandbox.url);
  const at = { host, port: Number(port), protocol: 'http' as const };
  const secret = sandbox.secretKey;
  const confirm = async ({ payable }: Reported, card: string) => {
    if (payable?.kind !== 'confirm') throw new Error('Nothing to confirm');
    return confirmIntent(sandbox, payable.clientSecret, card);
  };
  const sign = (body: Buffer): Delivery => ({
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
    ...at,
    secret,
    webhookSecrets: ['whsec_next', sandbox.webhookSecret],
    clock,
  });
  const { stripe } = client;
  return {
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
    async break(call, how) {
      if (call === 'capture') throw new Error('Cards are taken by Stripe');
      await sandbox.fault({ path: PATHS[call] }, FAULTS[how], OFTEN);
    },
    hide: async () => void (await sandbox.fault({ list: '/v1/*' }, { late: 60_000 }, OFTEN)),
    calm: async () => void (await sandbox.calm()),
    advance: clock.advance,
    deliveries: () => deliveries,
    sign,
    signForAnother: body =>
      sign(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), account: 'acct_another' }))),
    async stop() {
      await sandbox.stop();
      await new Promise(done => inbox.close(done));
    },
  };
});
