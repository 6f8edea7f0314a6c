import { createHmac } from 'node:crypto';
import type { Delivery, GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { sandboxDriver } from '@fixpoint/testkit/gateway-sandbox.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import { expect, test } from 'vitest';
import { createBitcoin } from './bitcoin.ts';
import { BtcpayRefusal, openBtcpay } from './client.ts';

const PATHS = {
  start: 'POST /api/v1/stores/*/invoices',
  ask: 'GET /api/v1/stores/*/invoices*',
  close: 'POST /api/v1/stores/*/invoices/*/status',
  refund: 'POST /api/v1/stores/*/invoices/*/refund',
  askRefund: 'GET /api/v1/*pull-payments*',
};

const driverFor = async (): Promise<GatewayDriver> => {
  const { sandbox, driver } = await sandboxDriver('btcpay', PATHS);
  const { token, storeId, webhook } = sandbox.btcpay;
  const sign = async (body: Buffer): Promise<Delivery> => ({
    body,
    headers: { 'btcpay-sig': `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}` },
  });
  return {
    ...driver,
    gateway: createBitcoin(
      openBtcpay({ url: sandbox.url, storeId, token, webhookSecrets: ['next', webhook.secret] }),
    ),
    currencies: ['THB', 'EUR', 'JPY'],
    free: true,
    findsPayments: true,
    namesRefunds: false,
    async pay({ ref }) {
      await sandbox.control('btcpay/pay', { invoice: ref });
      await sandbox.control('btcpay/confirm', { invoice: ref });
    },
    async bounce(pullPayment) {
      await sandbox.control('btcpay/archive', { pullPayment });
    },
    sign,
    signForAnother: body =>
      sign(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), storeId: 'another' }))),
  };
};

gatewaySuite('bitcoin', driverFor);

test('BG9 X4 a currency without a rate of the store is not taken; refused, the payer chooses another method', async () => {
  const { gateway, stop } = await driverFor();
  await gateway.learn!('THB');
  expect(gateway.takes('THB')).toBe(true);
  const attempt = {
    id: 'att_1',
    invoiceId: 'inv_1',
    invoiceReference: 'R-1',
    currency: 'XTS',
    amount: 199_00,
    key: 'att_1-1',
    number: 1,
    email: null,
    savedRef: null,
    bySaved: false,
    providerRef: null,
    gatewayCustomerRef: '',
  };
  const notMade = { field: 'paymentMethod', cause: expect.any(BtcpayRefusal) };
  const refused = { ref: null, state: 'closed', received: 0, notMade };
  // Not asked for yet, so the refusal tells.
  expect(gateway.takes('XTS')).toBe(true);
  expect(await gateway.start(attempt)).toMatchObject(refused);
  expect(gateway.takes('XTS')).toBe(false);
  await gateway.learn!('XXX');
  expect(gateway.takes('XXX')).toBe(false);
  await stop();
});
