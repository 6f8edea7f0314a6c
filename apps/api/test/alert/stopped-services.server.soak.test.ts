import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { type Postgres, startPostgres } from '@fixpoint/postgres/postgres.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShop } from '../../src/compose/shop.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';

/**
 * What an operator hears outside of the shop when its database or its mail server really stops: processes and listeners, not
 * answers of a sandbox. The shop runs by the clock, so these tests take minutes.
 */
const MINUTE_MS = 60_000;
/** A service with a period of one minute and a grace of one more tells its owner. */
const SILENCE_MS = 2 * MINUTE_MS;
const LONG_MS = 5 * MINUTE_MS;

let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
let heard: { path: string; body: string; at: number }[] = [];
const outside = createWebServer((request, response) => {
  let body = '';
  request.on('data', chunk => {
    body += chunk;
  });
  request.on('end', () => {
    heard.push({ path: request.url!, body, at: Date.now() });
    response.end();
  });
});

const guests = new Set<Socket>();
let mail: Server;
/** A mail server without TLS, as on this machine. */
async function listenForMail(port: number): Promise<void> {
  mail = createServer(socket => {
    guests.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => guests.delete(socket));
    socket.write('220 ready\r\n');
    socket.on('data', () => socket.write('250 fine\r\n'));
  });
  mail.listen(port, '127.0.0.1');
  await once(mail, 'listening');
}
async function stopMail(): Promise<void> {
  const closed = once(mail, 'close');
  mail.close();
  for (const guest of guests) guest.destroy();
  await closed;
}

let folder: string;
let postgres: Postgres;
let mailPort: number;
let url: string;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-stopped-'));
  postgres = await startPostgres({ dataDir: folder, durable: false });
  mailPort = await freePort();
  await listenForMail(mailPort);
  outside.listen(0, '127.0.0.1');
  await once(outside, 'listening');
  const at = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = readEnv({
    PORT: String(port),
    ...databaseSettings(postgres.urls),
    DATA_DIR: folder,
    WEB_DIR: folder,
    SEED: 'demo',
    LOG_LEVEL: 'silent',
    STRIPE_SECRET: 'sk_test_x',
    STRIPE_PUB: 'pk_test_x',
    STRIPE_WEBHOOK_SECRETS: 'whsec_x',
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    ALERT_WEBHOOK_URL: `${at}/webhook`,
    ALERT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'key').toString('base64')}`,
    ALERT_WEBHOOK_KINDS: 'mail.failing',
    ALERT_HEARTBEAT_URL: `${at}/beat`,
  });
  shop = await startShop(env, createLogger('silent'), clock);
}, LONG_MS);
afterAll(async () => {
  await shop?.close().catch(() => {});
  await postgres?.stop();
  await stopMail();
  outside.close();
  await rm(folder, { recursive: true, force: true });
});

const beats = () => heard.filter(({ path }) => path === '/beat');
const titles = () =>
  heard
    .filter(({ path }) => path === '/webhook')
    .map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title);
async function openAlerts(): Promise<number> {
  const client = new Client({ connectionString: postgres.adminUrl });
  await client.connect();
  const open = client.query("select from open_alert where kind = 'mail.failing'");
  return open.then(({ rowCount }) => rowCount ?? 0).finally(() => client.end());
}
const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;

test(
  'the heartbeat falls silent with the database process, and comes back with it',
  async () => {
    await until(async () => beats().length > 0, 'the first heartbeat', LONG_MS);
    await postgres.stop();
    const stopped = Date.now();
    expect(await isReady()).toBe(false);
    const last = () => beats().at(-1)!.at;
    await until(async () => Date.now() - Math.max(last(), stopped) > SILENCE_MS, 'silence', LONG_MS);
    // At most the one that was on its way.
    expect(last() - stopped).toBeLessThan(MINUTE_MS);
    heard = [];
    postgres = await startPostgres({ dataDir: folder, durable: false });
    await until(async () => beats().length > 0, 'a heartbeat', LONG_MS);
    expect(await isReady()).toBe(true);
  },
  4 * LONG_MS,
);

test(
  'a mail server that stops listening is told by the webhook, and that it listens again',
  async () => {
    await stopMail();
    await until(async () => titles().length > 0, 'the webhook is told', LONG_MS);
    expect(titles()).toEqual(['[Fixpoint] critical: mail.failing mail']);
    await listenForMail(mailPort);
    await until(async () => (await openAlerts()) === 0, 'the alert is resolved', LONG_MS);
    // An alert that opens again within ten minutes is the same one.
    ahead += 10 * MINUTE_MS;
    const isTold = async () => titles().length > 1;
    await until(isTold, 'the webhook is told again', LONG_MS);
    expect(titles()).toEqual([
      '[Fixpoint] critical: mail.failing mail',
      '[Fixpoint] resolved: mail.failing mail',
    ]);
  },
  4 * LONG_MS,
);
