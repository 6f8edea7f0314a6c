import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../start.ts';

/**
 * Settings of a PayPal account and a BTCPay store for a sandbox whose shop listens at an origin.
 */
export const providerOptions = (shopUrl: string): Pick<SandboxOptions, 'paypal' | 'btcpay'> => ({
  paypal: {
    clientId: 'sandbox-client',
    secret: 'sandbox-secret',
    webhook: { id: 'WEBHOOKOFTHEHARNESS', url: `${shopUrl}/webhooks/paypal` },
    authorityFile: join(tmpdir(), `sandbox-authority-${process.pid}.pem`),
  },
  btcpay: {
    token: 'btcpay-token-of-the-harness',
    storeId: 'store-1',
    webhook: { secret: 'btcpay-secret-of-the-harness', url: `${shopUrl}/webhooks/btcpay` },
  },
});
