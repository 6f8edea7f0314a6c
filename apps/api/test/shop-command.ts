import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { compileCache } from '../../../scripts/env.ts';

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** How a command reaches the sandbox providers of a shop. */
export const providerSettings = (sandbox: TestShop['sandbox']): Record<string, string> => ({
  STRIPE_SECRET: sandbox.secretKey,
  STRIPE_WEBHOOK_SECRETS: sandbox.webhookSecret,
  STRIPE_API_HOST: '127.0.0.1',
  STRIPE_API_PORT: new URL(sandbox.url).port,
  STRIPE_API_PROTOCOL: 'http',
  PROMPTPAY: 'true',
  PAYPAL_CLIENT_ID: sandbox.paypal.clientId,
  PAYPAL_SECRET: sandbox.paypal.secret,
  PAYPAL_WEBHOOK_ID: sandbox.paypal.webhook.id,
  PAYPAL_API_ORIGIN: sandbox.url,
  BTCPAY_URL: sandbox.url,
  BTCPAY_STORE: sandbox.btcpay.storeId,
  BTCPAY_TOKEN: sandbox.btcpay.token,
  BTCPAY_WEBHOOK_SECRETS: sandbox.btcpay.webhook.secret,
});

/** What `npm run shop -- …` does: the operator's command in a process of its own, on the database and providers of a shop. */
export const shopCommand = (
  {
    databaseUrls,
    sandbox,
    url,
    agentSocket,
  }: Pick<TestShop, 'databaseUrls' | 'sandbox' | 'url' | 'agentSocket'>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const env = {
      NODE_COMPILE_CACHE: compileCache,
      ...databaseSettings(databaseUrls),
      MASTER_KEY_FILE: join(dirname(agentSocket), 'master.key'),
      ...providerSettings(sandbox),
      SANDBOX_URL: sandbox.url,
      SANDBOX_CONTROL_TOKEN: sandbox.controlToken,
      PUBLIC_URL: url,
    };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
