import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../start.ts';

/** A PayPal account for a sandbox whose shop listens at an origin. */
export const paypalOptions = (shopUrl: string): SandboxOptions['paypal'] => ({
  clientId: 'sandbox-client',
  secret: 'sandbox-secret',
  webhook: { id: 'WEBHOOKOFTHEHARNESS', url: `${shopUrl}/webhooks/paypal` },
  authorityFile: join(tmpdir(), `sandbox-authority-${process.pid}.pem`),
});
