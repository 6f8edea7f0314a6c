import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** What `npm run shop -- …` does: the operator's command in a process of its own, on the database and providers of a shop. */
export const shopCommand = (
  { databaseUrls, sandbox }: Pick<TestShop, 'databaseUrls' | 'sandbox'>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const env = {
      ...databaseSettings(databaseUrls),
      STRIPE_SECRET: sandbox.secretKey,
      STRIPE_WEBHOOK_SECRETS: sandbox.webhookSecret,
      STRIPE_API_HOST: '127.0.0.1',
      STRIPE_API_PORT: new URL(sandbox.url).port,
      STRIPE_API_PROTOCOL: 'http',
      SANDBOX_URL: sandbox.url,
      SANDBOX_CONTROL_TOKEN: sandbox.controlToken,
      BTCPAY_URL: sandbox.url,
      BTCPAY_STORE: sandbox.btcpay.storeId,
      BTCPAY_TOKEN: sandbox.btcpay.token,
      BTCPAY_WEBHOOK_SECRETS: sandbox.btcpay.webhook.secret,
    };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
