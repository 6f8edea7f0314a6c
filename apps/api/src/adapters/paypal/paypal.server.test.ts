import type { GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { sandboxDriver } from '@fixpoint/testkit/gateway-sandbox.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import type { Reported } from '../../ports/payment-gateway.ts';
import { openPaypal } from './client.ts';
import { createPaypal } from './paypal.ts';

const PATHS = {
  start: 'POST /v2/checkout/orders',
  ask: 'GET /v2/checkout/orders/*',
  capture: 'POST /v2/checkout/orders/*/capture',
  refund: 'POST /v2/payments/captures/*/refund',
  askRefund: 'GET /v2/*',
};

gatewaySuite('paypal', async (): Promise<GatewayDriver> => {
  const { sandbox, clock, shopUrl, driver } = await sandboxDriver('paypal', PATHS, '/v2/checkout/orders/*');
  const { clientId, secret, webhook, authorityFile } = sandbox.paypal;
  const paypal = openPaypal({
    clientId,
    secret,
    webhookId: webhook.id,
    apiOrigin: sandbox.url,
    authorityFile,
    clock,
    keepsAccounts: true,
    brandName: 'Fixpoint',
    returnUrl: `${shopUrl}/back/agreed`,
    cancelUrl: `${shopUrl}/back/cancelled`,
  });
  const approve = async ({ ref }: Reported, funding: 'balance' | 'refusedCard') =>
    void (await sandbox.control('paypal/approve', { order: ref, funding }));
  const withdraw = async (token: string) => void (await sandbox.control('paypal/vault/revoke', { token }));
  return {
    ...driver,
    gateway: createPaypal(paypal, { has: async () => false, add: async () => {} }),
    currencies: ['THB', 'EUR', 'JPY'],
    findsPayments: false,
    namesRefunds: true,
    pay: payment => approve(payment, 'balance'),
    decline: payment => approve(payment, 'refusedCard'),
    withdraw,
    async spoil(savedRef) {
      await withdraw(savedRef);
      return savedRef;
    },
    bounce: async refund => void (await sandbox.control('paypal/refunds/return', { refund })),
    sign: async body => ({ body, headers: await sandbox.signAsPaypal(body.toString()) }),
    signForAnother: async body => ({
      body,
      headers: await sandbox.signAsPaypal(body.toString(), 'WEBHOOKOFANOTHERSHOP'),
    }),
  };
});
