import { createHmac } from 'node:crypto';
import type { Delivery, Failure, GatewayCall, GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import { startInbox } from '@fixpoint/testkit/inbox.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { manualClock } from '@fixpoint/testkit/shop.ts';
import { createBitcoin } from './bitcoin.ts';
import { openBtcpay } from './client.ts';

const PATHS: Record<Exclude<GatewayCall, 'createPayer'>, string> = {
  start: 'POST /api/v1/stores/*/invoices',
  ask: 'GET /api/v1/stores/*/invoices*',
  close: 'POST /api/v1/stores/*/invoices/*/status',
  refund: 'POST /api/v1/stores/*/invoices/*/refund',
  askRefund: 'GET /api/v1/*pull-payments*',
};
const FAULTS: Record<Failure, string> = {
  lost: 'commitThenDropConnection',
  silent: 'drop',
  garbled: 'truncateBody',
  faulty: '500',
  busy: '429',
};
const OFTEN = 100;

gatewaySuite('bitcoin at BTCPay', async (): Promise<GatewayDriver> => {
  const clock = manualClock();
  const inbox = await startInbox();
  const sandbox = await startTestSandbox({ clock, webhooks: inbox.url, shopOrigins: [inbox.url] });
  const { token, storeId, webhookSecret } = sandbox.btcpay;
  const sign = (body: Buffer): Delivery => ({
    body,
    headers: { 'btcpay-sig': `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}` },
  });
  return {
    gateway: createBitcoin(
      openBtcpay({ url: sandbox.url, storeId, token, webhookSecrets: ['next', webhookSecret] }),
    ),
    currencies: ['THB', 'EUR', 'JPY'],
    free: true,
    namesRefunds: false,
    async pay({ ref }) {
      await sandbox.control('btcpay/pay', { invoice: ref });
      await sandbox.control('btcpay/confirm', { invoice: ref });
    },
    async bounce(pullPayment) {
      const url = `${sandbox.url}/api/v1/stores/${storeId}/pull-payments/${pullPayment}`;
      await fetch(url, { method: 'DELETE', headers: { authorization: `token ${token}` } });
    },
    async break(call, how) {
      if (call === 'createPayer') throw new Error('BTCPay knows no payers');
      await sandbox.fault({ provider: 'btcpay', path: PATHS[call] }, FAULTS[how], OFTEN);
    },
    calm: async () => void (await sandbox.calm()),
    advance: clock.advance,
    deliveries: inbox.deliveries,
    sign,
    ofAnotherAccount: body =>
      Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), storeId: 'another' })),
    async stop() {
      await sandbox.stop();
      await inbox.stop();
    },
  };
});
