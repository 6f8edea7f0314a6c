import { setTimeout as delay } from 'node:timers/promises';
import { buyAsVisitor, emailTo, logInByEmail, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { loadRelease } from '@fixpoint/testkit/release.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { openPage } from '../../apps/api/test/helpers/open-page.ts';
import { buyPatiently, startBuyers } from '../../e2e/chaos/patient-buyer.ts';

/**
 * Runs in the network of a booted machine: the sandbox, and a visitor who buys. Sends the settings of the shop to its parent,
 * and after each message what the visitor got.
 */
const url = 'http://127.0.0.1:8080';
const sandbox = await startTestSandbox({ shopUrl: url });
const place = { url, sandboxUrl: sandbox.url };
/** Pages that are open while somebody watches, and buyers who buy one after the other. */
const [PAGES, BUYERS] = [5, 2];
const PAUSE_MS = 20;
/** What a killed or restarted process has begun is taken up by scheduled tasks, within minutes. */
const TAKEN_UP_MS = 240_000;

/** Buys as a new customer. @returns profiles of as many devices as asked, and what the customer got */
async function buy(email: string, devices: number, providerId = 'demo'): Promise<object> {
  await buyAsVisitor(place, email, { planId: devices > 2 ? 'plus' : 'solo', providerId });
  const { client } = await logInByEmail(place, email);
  const { Attachments } = await emailTo(place, email, /receipt/i);
  const { id, address } = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, `the subscription of ${email}`);
  const profiles: string[] = [];
  for (let n = 0; n < devices; n++) profiles.push(await profileOf(client, id, `device-${n}`));
  const [invoice] = (await client.billing.myBilling({ query: {} })).data!.items;
  return {
    receipt: Attachments.map(({ ContentType }) => ContentType),
    customer: (await client.auth.profile()).data!.id,
    subscription: id,
    invoice: invoice!.number,
    address,
    profiles,
  };
}

async function profileOf(client: TestClient, subscriptionId: string, name: string): Promise<string> {
  const key = await client.subscription.addKey({ body: { subscriptionId, name } });
  const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId: key.data!.id } });
  if (file.code !== '0000') throw new Error(`addKey answered ${key.code}, downloadKey ${file.code}`);
  return file.data!.profile;
}

let isOver = false;

/** Asks for the page of health, one call after another until told to stop. @returns why some did not get it */
async function refused(): Promise<{ asked: number; refused: string[]; slowest: number }> {
  const found = { asked: 0, refused: [] as string[], slowest: 0 };
  while (!isOver) {
    const since = performance.now();
    await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
      async answer => {
        const said = await answer.text();
        if (!answer.ok) found.refused.push(`${answer.status} ${said}`);
      },
      (error: Error) => found.refused.push(`${error} ${error.cause}`),
    );
    found.asked += 1;
    found.slowest = Math.max(found.slowest, performance.now() - since);
    await delay(PAUSE_MS);
  }
  return found;
}

/** Buys until told to stop, with pages open whose payment comes at the end. @throws when a purchase does not become a tunnel */
async function sell(): Promise<{ purchases: number; repeats: number; drops: number; paidPages: number }> {
  const { bought, stop } = startBuyers(url, BUYERS);
  const pages: Awaited<ReturnType<typeof openPage>>[] = [];
  const waiting = Array.from({ length: PAGES }, (_, n) =>
    buyPatiently(url, `page${n}@example.com`, async metadata => {
      pages.push(await openPage(url, metadata));
      while (!isOver) await delay(PAUSE_MS);
    }),
  );
  const paid = await Promise.all(waiting);
  await stop();
  const all = [...bought, ...paid];
  const { order } = createClient(url);
  for (const { email, metadata } of all)
    await until(
      async () => (await order.purchaseData({ body: { metadata } })).data?.subscription?.status === 'active',
      `the tunnel of ${email}`,
      TAKEN_UP_MS,
    );
  await until(async () => pages.every(({ isPaid }) => isPaid), 'all pages to hear of their payment');
  for (const { socket } of pages) socket.disconnect();
  return {
    purchases: all.length,
    repeats: all.reduce((sum, purchase) => sum + purchase.repeats, 0),
    drops: pages.reduce((sum, page) => sum + page.drops, 0),
    paidPages: pages.length,
  };
}

/** Starts a host without tunnels that a token belongs to. */
async function serve(token: string): Promise<object> {
  await startFakeHost({ host: '127.0.0.1', port: 8443 }, token);
  return {};
}

type Release = { version: string; superuser: string; owner: string };
type Asked = {
  serve?: string;
  pay?: string;
  load?: Release;
  buy?: string;
  devices?: number;
  providerId?: string;
  sells?: true;
  stop?: true;
};

async function watch({ sells }: Asked): Promise<object> {
  isOver = false;
  const [health, sales] = await Promise.all([refused(), sells && sell()]);
  return { ...health, ...sales };
}

/** Does what the parent asks for. */
async function begin(asked: Asked): Promise<object> {
  if (asked.buy) return buy(asked.buy, asked.devices ?? 1, asked.providerId);
  if (asked.pay) return buyPatiently(url, asked.pay);
  if (asked.serve) return serve(asked.serve);
  if (!asked.load) return watch(asked);
  await loadRelease(asked.load.version, asked.load);
  return {};
}

process.on('message', (asked: Asked) => {
  if (asked.stop) {
    isOver = true;
    return;
  }
  const work = begin(asked);
  work.then(
    answer => process.send?.(answer),
    (error: Error) => process.send?.({ error: error.stack }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.(sandbox.settings);
