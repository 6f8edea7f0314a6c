import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { buyAsVisitor, logInByEmail, PASSWORD, type Place, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';
import { chromium, type Page } from '@playwright/test';
import { executablePath, flags } from '../e2e/chromium.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- time-to-tunnel [runs]` measures the time from the click on "Pay" in a real browser until the far side was
 * reached through a tunnel. The buyer is logged in and has openvpn; no 3-D Secure. The program performs a person's steps
 * after the click (name a key, download its file, connect) without a pause.
 */
const { positionals } = readArguments('time-to-tunnel [runs]', 1, {});
const runs = Number(positionals[0] ?? 10);
const EMAIL = 'bench@example.com';

/** Makes a customer who can log in: the first purchase creates the account. */
async function becomeCustomer(place: Place): Promise<TestClient> {
  await buyAsVisitor(place, EMAIL);
  return (await logInByEmail(place, EMAIL)).client;
}

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/en/auth/login`);
  await page.locator('input[type=email]').fill(EMAIL);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/get-started|management/);
}

/** Opens the order page until it is ready for the click. */
async function readyToPay(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}/#/en/order?plan=solo&cycle=1`);
  // The saved card is shown, and the page is at rest.
  await page.getByText('•••• 4242').waitFor();
  await page.getByLabel(/^I agree/).check();
  await page.waitForLoadState('networkidle');
}

async function run(
  page: Page,
  client: TestClient,
  url: string,
  regionId: string,
): Promise<Record<string, number>> {
  const before = (await client.subscription.mySubscription({ body: {} })).data!.total;
  await readyToPay(page, url);
  const pay = page.getByRole('button', { name: /^Pay/ });
  const marks: Record<string, number> = {};
  const start = performance.now();
  const mark = (name: string) => {
    marks[name] = performance.now() - start;
  };
  // Not awaited: the program continues while the browser still draws the next page.
  const clicked = pay.click();
  const subscription = await until(
    async () => {
      const { data } = await client.subscription.mySubscription({ body: { size: 1 } });
      const [newest] = data!.items;
      return data!.total > before && newest?.status === 'active' && newest;
    },
    'an active subscription',
    30_000,
  );
  mark('active');
  const key = await client.subscription.addKey({ body: { subscriptionId: subscription.id, name: 'bench' } });
  const file = await client.subscription.downloadKey({
    body: { subscriptionId: subscription.id, keyId: key.data!.id },
  });
  mark('file');
  const device = await connectSoon({ region: { id: regionId }, profile: file.data!.profile }, 10_000);
  mark('tunnel');
  const seen = await device.seenAddress();
  mark('reached');
  await clicked;
  await device.stop();
  if (seen !== subscription.address) throw new Error('the far side saw another address');
  return marks;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

await buildWeb(console.log);
const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const stack = await startStack({ dataDir, region: true, env: { SEED: 'demo', LIMITS_SCALE: '1000' } });
const browser = await chromium.launch({
  executablePath,
  args: flags,
});
try {
  if ('obstacle' in stack.region) throw new Error(`This needs the demo region: ${stack.region.obstacle}`);
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  const client = await becomeCustomer(place);
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  await logIn(page, stack.publicUrl);
  const all: Record<string, number>[] = [];
  for (let i = 0; i < runs; i++) {
    const marks = await run(page, client, stack.publicUrl, stack.region.id);
    all.push(marks);
    console.log(
      Object.entries(marks)
        .map(([name, ms]) => `${name} ${ms.toFixed(0).padStart(5)}`)
        .join('   '),
    );
  }
  for (const name of Object.keys(all[0]!)) {
    const values = all.map(marks => marks[name]!);
    console.log(
      `${name.padEnd(8)} median ${median(values).toFixed(0)} ms   (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}, ${runs} runs)`,
    );
  }
} finally {
  await browser.close();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
