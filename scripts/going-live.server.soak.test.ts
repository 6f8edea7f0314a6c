import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { logInByEmail, type Place, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startTestSandbox, type TestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands, written } from './testing/going-live-page.ts';

/**
 * Follows docs/operate/going-live.md: reads its settings and commands from the page. The sandbox replaces Stripe, the mail
 * server and DNS; the database is the embedded one.
 */
let dataDir: string;
let sandbox: TestSandbox;
let stack: Stack;
let host: FakeHost | undefined;
let env: Record<string, string>;
const shown: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-live-'));
  const [port, agentPort] = [await freePort(), await freePort()];
  sandbox = await startTestSandbox({
    shopUrl: `http://127.0.0.1:${port}`,
    shopOrigins: [written.PUBLIC_URL!, written.PAY_URL!],
  });
  const {
    DATABASE_URL: _,
    DATABASE_APP_URL: __,
    DATABASE_CUSTOMER_URL: ___,
    DATABASE_MEMBER_URL: ____,
    ...settings
  } = written;
  env = {
    ...settings,
    DATA_DIR: dataDir,
    PORT: String(port),
    AGENT_PORT: String(agentPort),
    HUMAN_CHECK_COST: '1',
    STRIPE_SECRET: sandbox.secretKey,
    STRIPE_PUB: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRETS: sandbox.webhookSecret,
    STRIPE_API_HOST: '127.0.0.1',
    STRIPE_API_PORT: new URL(sandbox.url).port,
    STRIPE_API_PROTOCOL: 'http',
    STRIPE_JS_URL: `${sandbox.url}/v3/`,
    SMTP_URL: sandbox.smtpUrl,
  };
  stack = await startStack({ dataDir, durable: false, env, show: line => shown.push(line) });
});
afterAll(async () => {
  await host?.stop();
  await stack?.stop();
  await sandbox?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command of the page. @param answer `--yes`, because there is no terminal */
function run(beginning: string, ...answer: string[]): Promise<{ code: number; says: string }> {
  const command = commands.find(line => line.startsWith(`fixpoint ${beginning}`));
  expect(command, `${beginning} is on the page`).toBeDefined();
  const words = command!.replace('/etc/fixpoint', dataDir).split(' ').slice(1);
  const args = [join(root, 'scripts/shop.ts'), ...words, ...answer];
  const options = { env: { ...basicEnv(), ...env, INIT_CWD: dataDir } };
  return new Promise(resolve =>
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), says: (stdout + stderr).trim() }),
    ),
  );
}

test('FO1 the page leads from an empty shop to the first sale', async () => {
  await until(
    async () => shown.some(line => line.startsWith('Missing: There is no catalogue')),
    'what is missing',
  );
  const lacks = /no catalogue.*Nobody is told of alerts.*Nobody backs the shop up/s;
  expect(await run('ready')).toMatchObject({ code: 1, says: expect.stringMatching(lacks) });

  await copyFile(join(root, 'docs/operate/catalogue.example.yaml'), join(dataDir, 'catalogue.yaml'));
  expect((await run('catalogue import', '--yes')).code).toBe(0);
  const token = (await run('host add')).says.split('\n').at(-1)!;
  host = await startFakeHost({ host: '127.0.0.1', port: Number(env.AGENT_PORT) }, token);
  expect((await run('ready')).says).not.toContain('own-rack');

  const place: Place = { url: stack.url, sandboxUrl: sandbox.url };
  const client = createClient(stack.url);
  const email = 'operator@example.com';
  const { data } = await client.order.getProduct({
    body: {
      planId: 'solo',
      cycleCount: 1,
      currency: written.DEFAULT_CURRENCY!,
      providerId: 'own-rack',
      regionId: 'th-bkk',
      vendorId: 'fixpoint',
    },
  });
  const { product, total } = data!;
  const bought = await client.order.getMetaData({
    body: { productId: product.id, currency: total.currency },
  });
  const { metadata } = bought.data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  await client.order.purchase({
    body: {
      metadata,
      paymentMethod: 'card',
      termsVersion,
      email,
      language: 'en',
      price: { currency: total.currency, price: total.price },
    },
  });
  await client.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  const subscription = await until(async () => {
    const state = (await client.order.purchaseData({ body: { metadata } })).data?.subscription;
    return state?.status === 'active' && state;
  }, 'an active subscription');
  const customer = await logInByEmail(place, email);
  const found = await customer.client.subscription.getSubscription({ query: { id: subscription.id } });
  expect(found.data?.address).toMatch(/^203\.0\.113\./);

  // The gateways would call the public URL, which does not exist here.
  const checked = await run('payments check');
  expect(checked).toMatchObject({ code: 1, says: expect.stringContaining('stripe  STRIPE_SECRET: ok') });
  expect(checked.says).toContain(`no enabled endpoint for ${written.PUBLIC_URL}/webhooks/stripe`);

  expect((await run('alerts')).says).toBe('No alert is open.');
  const books = await run('books');
  expect(books).toEqual({ code: 0, says: expect.stringMatching(/^The books balance\.$/m) });
});
