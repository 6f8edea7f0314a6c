import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BtcpayLedger } from '@fixpoint/sandbox/btcpay/ledger.ts';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import type { PaypalLedger } from '@fixpoint/sandbox/paypal/ledger.ts';
import { type SandboxOptions, startSandbox } from '@fixpoint/sandbox/start.ts';

/** What a fault applies to; the provider is Stripe by default. */
type FaultMatch =
  | { provider: 'mail' }
  | ({ provider?: 'stripe' | 'paypal' | 'btcpay' } & (
      | { path: string }
      | { list: string }
      | { event: string }
    ));

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

/**
 * The sandbox in this process, with keys of its own and control of its faults. It delivers webhooks to `shopUrl`.
 */
export async function startTestSandbox({
  shopUrl,
  clock,
  shopOrigins = [shopUrl],
}: Pick<SandboxOptions, 'clock'> & Partial<Pick<SandboxOptions, 'shopOrigins'>> & { shopUrl: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-sandbox-'));
  const random = () => randomBytes(24).toString('hex');
  const keys: Keys = {
    secretKey: `sk_test_${random()}`,
    publishableKey: `pk_test_${random()}`,
    webhookSecret: `whsec_${random()}`,
    controlToken: random(),
    paypal: {
      clientId: `sandbox-${random()}`,
      secret: `sandbox-${random()}`,
      webhook: { id: random().slice(0, 17).toUpperCase(), url: `${shopUrl}/webhooks/paypal` },
      authorityFile: join(folder, 'authority.pem'),
    },
    btcpay: {
      token: random(),
      storeId: 'sandbox-store',
      webhook: { secret: random(), url: `${shopUrl}/webhooks/btcpay` },
    },
  };
  const sandbox = await startSandbox({
    ...keys,
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    clock,
    webhookUrl: `${shopUrl}/webhooks/stripe`,
    shopOrigins,
  });

  const control = controlOf(sandbox.url, keys.controlToken);
  return {
    ...sandbox,
    ...keys,
    control,
    /** Environment of a shop and its commands that use this sandbox as their providers. */
    settings: settingsOf(sandbox, keys),
    /** Injects a fault into the next `times` calls (README of the sandbox). */
    fault: (match: FaultMatch, what: unknown, times = 1) =>
      control('faults', { match: { provider: 'stripe', ...match }, do: what, times }),
    /** Removes all faults. */
    calm: () => control('faults', undefined, 'DELETE'),
    /** How often each kind of fault struck: a fault that never strikes tests nothing. */
    struck: async () => (await control<{ struck: Record<string, number> }>('faults')).struck,
    ledger: () => control<Ledger>('ledger'),
    paypalLedger: () => control<PaypalLedger>('paypal/ledger'),
    btcpayLedger: () => control<BtcpayLedger>('btcpay/ledger'),
    async stop() {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Keys = Omit<SandboxOptions, 'host' | 'port' | 'smtpPort' | 'clock' | 'webhookUrl' | 'shopOrigins'>;

const settingsOf = (
  { url, smtpUrl }: { url: string; smtpUrl: string },
  keys: Keys,
): Record<string, string> => ({
  STRIPE_SECRET: keys.secretKey,
  STRIPE_PUB: keys.publishableKey,
  STRIPE_WEBHOOK_SECRETS: keys.webhookSecret,
  STRIPE_API_HOST: '127.0.0.1',
  STRIPE_API_PORT: new URL(url).port,
  STRIPE_API_PROTOCOL: 'http',
  STRIPE_JS_URL: `${url}/v3/`,
  PAYPAL_CLIENT_ID: keys.paypal.clientId,
  PAYPAL_SECRET: keys.paypal.secret,
  PAYPAL_WEBHOOK_ID: keys.paypal.webhook.id,
  PAYPAL_API_ORIGIN: url,
  PAYPAL_RECURRING: 'vault',
  PAYPAL_CERT_CA_FILE: keys.paypal.authorityFile,
  PROMPTPAY: 'true',
  BTCPAY_URL: url,
  BTCPAY_STORE: keys.btcpay.storeId,
  BTCPAY_TOKEN: keys.btcpay.token,
  BTCPAY_WEBHOOK_SECRETS: keys.btcpay.webhook.secret,
  SMTP_URL: smtpUrl,
  SANDBOX_URL: url,
  SANDBOX_CONTROL_TOKEN: keys.controlToken,
});

/** Client of a sandbox's control interface. Its calls throw when the sandbox refuses them. */
export const controlOf =
  (url: string, token: string) =>
  async <T = { id: string }>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> => {
    const answer = await fetch(`${url}/_sbx/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const said = (await answer.json()) as T & { error?: string };
    if (!answer.ok) throw new Error(said.error);
    return said;
  };
