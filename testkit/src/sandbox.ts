import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BtcpayLedger } from '@fixpoint/sandbox/btcpay/ledger.ts';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import type { PaypalLedger } from '@fixpoint/sandbox/paypal/ledger.ts';
import { type SandboxOptions, startSandbox } from '@fixpoint/sandbox/start.ts';

/** What a fault is about; Stripe's, unless it says otherwise. */
type FaultMatch =
  | { provider: 'mail' }
  | ({ provider?: 'stripe' | 'paypal' | 'btcpay' } & (
      | { path: string }
      | { list: string }
      | { event: string }
    ));

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

/**
 * The stand-in providers in this process, with keys of their own and a hand on what goes wrong there. They deliver to the
 * webhooks of `shopUrl`.
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
    /** The environment of a shop, and of its commands, that has these for its providers. */
    settings: settingsOf(sandbox, keys),
    /** Something goes wrong at a provider (README of the sandbox), the next `times`. */
    fault: (match: FaultMatch, what: unknown, times = 1) =>
      control('faults', { match: { provider: 'stripe', ...match }, do: what, times }),
    /** Nothing goes wrong any more. */
    calm: () => control('faults', undefined, 'DELETE'),
    /** How often each kind of fault struck since then: one that never does tests nothing. */
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

/** The control interface of a sandbox. The call @throws what it refuses. */
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
