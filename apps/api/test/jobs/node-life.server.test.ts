import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { sql } from 'kysely';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Shop, startShop } from '../../src/compose/shop.ts';
import { openDatabase } from '../../src/database/database.ts';
import { VERSION } from '../../src/database/nodes.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { startGate } from '../database/postgres-gate.ts';

/** Start and stop of a node while its database or clients misbehave. */
let database: TestDatabase;
let gate: Awaited<ReturnType<typeof startGate>>;
let folder: string;
let port: number;
/** Its log messages of level warn and above. */
const said: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  gate = await startGate(database.url);
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-node-'));
  port = await freePort();
});
beforeEach(() => {
  said.length = 0;
});
afterAll(async () => {
  await gate?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const start = (env: Record<string, string> = {}, clock?: Clock): Promise<Shop> =>
  startShop(
    readEnv({
      PORT: String(port),
      DATA_DIR: folder,
      WEB_DIR: folder,
      AGENT_SOCKET: join(folder, 'agent.sock'),
      SEED: 'demo',
      STRIPE_SECRET: 'sk_test_nobody',
      STRIPE_PUB: 'pk_test_nobody',
      STRIPE_WEBHOOK_SECRETS: 'whsec_nobody',
      SMTP_URL: 'smtp://127.0.0.1:1',
      // Seven parallel test files delay the loop too.
      MAX_EVENT_LOOP_DELAY: '60000',
      ...databaseSettings(gate.database.urls),
      ...env,
    }),
    createLogger('warn', { write: line => void said.push((JSON.parse(line) as { msg: string }).msg) }),
    clock,
  );
const checked = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, ...((await answer.json()) as { ready: boolean; checks: object }) };
};
const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
const isAnswered = () =>
  fetch(`http://127.0.0.1:${port}/config.json`).then(
    () => true,
    () => false,
  );
const took = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

test('FM5 a start waits for an absent database and logs it; its row exists until it stops', async () => {
  gate.shut();
  const starting = start();
  await expect.poll(() => said).toContain('waiting for the database');
  gate.open();
  const shop = await starting;
  expect(await isReady()).toBe(true);
  const { db, close } = openDatabase(database.url);
  const nodes = () => db.selectFrom('node').select(['role', 'version']).execute();
  expect(await nodes()).toEqual([{ role: 'all', version: VERSION }]);
  await shop.close();
  expect(await nodes()).toEqual([]);
  await close();
});

test('FM5 a start repeats when the database fails during it, at any point', async () => {
  // Connections of the migrations, the roles, the pools, the jobs, the live bus.
  for (const connection of [1, 3, 4, 8, 10, 12]) {
    said.length = 0;
    gate.cutAt(connection);
    const shop = await start();
    expect(await isReady(), `cut at connection ${connection}`).toBe(true);
    // Which of the later ones the start waits for depends on their order; nothing else may be disturbed.
    if (connection === 1) expect(said).toContain('waiting for the database');
    await shop.close();
  }
});

test('a worker beside an API has health checks and metrics at a port of its own, and only there', async () => {
  const [api, worker] = [await freePort(), await freePort()];
  const answers = (of: number, path: string) =>
    fetch(`http://127.0.0.1:${of}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  // As the worker's unit: the setting of the API on the same machine does not count for it.
  const own = { METRICS_PORT: '0', WORKER_METRICS_PORT: String(worker) };
  const nodes = [
    await start({ ROLE: 'api', METRICS_PORT: String(api), WORKER_METRICS_PORT: String(worker) }),
    await start({ ROLE: 'worker', ...own }),
  ];
  for (const at of [api, worker])
    expect([await answers(at, '/readyz'), await answers(at, '/metrics')]).toEqual([200, 200]);
  for (const node of nodes) await node.close();
  const alone = await start({ ROLE: 'worker', METRICS_PORT: String(api) });
  expect(await answers(api, '/metrics')).toBe(200);
  await alone.close();
});

test('FO7 a node stops in a few seconds even with silent open connections', async () => {
  const shop = await start();
  const held: Socket[] = [];
  const hold = async (to: NetConnectOpts, words: string) => {
    const socket = connect(to);
    held.push(socket.on('error', () => {}));
    socket.write(words);
    await delay(100);
    expect(socket.closed).toBe(false);
  };
  const page = { port, host: '127.0.0.1' };
  await hold(page, '');
  await hold(page, 'GET /readyz HTTP/1.1\r\nHost: x\r\n');
  await hold(
    page,
    'GET /soc/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await hold({ path: join(folder, 'agent.sock') }, '');
  expect(await took(shop.close())).toBeLessThan(20_000);
  for (const socket of held) socket.destroy();
});

test('FO7 a node without its database stops in a few seconds, and in order', async () => {
  const shop = await start();
  const page = io(`http://127.0.0.1:${port}`, { path: '/soc/socket.io/', transports: ['websocket'] });
  gate.shut();
  const calls = Array.from({ length: 5 }, isReady);
  expect(await took(shop.close())).toBeLessThan(20_000);
  await Promise.all(calls);
  page.close();
  gate.open();
});

test('FO7 a node whose database is frozen answers nobody once it stops', async () => {
  const shop = await start();
  gate.freeze();
  const calls = Array.from({ length: 5 }, isReady);
  await delay(200);
  const closed = shop.close();
  expect(await Promise.all(calls)).not.toContain(true);
  await expect.poll(isAnswered).toBe(false);
  gate.open();
  await closed;
});

test('a database that goes away is one line in the log, and one when it is back; the health check says so', async () => {
  const shop = await start();
  expect(await checked()).toMatchObject({ status: 200, ready: true });
  said.length = 0;
  gate.shut();
  await expect.poll(checked).toMatchObject({
    status: 503,
    checks: { database: 'does not answer, or cannot be written', migrations: 'unknown', disk: 'ok' },
  });
  // Calls, jobs, scheduled tasks and the live bus fail meanwhile.
  const calls = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/v1/order/products`));
  for (const call of calls) await (await call).arrayBuffer();
  const alive = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(await alive.json()).toEqual({ alive: true });
  gate.open();
  await expect.poll(isReady).toBe(true);
  await expect.poll(() => said.at(-1)).toBe('the database answers again');
  expect(said).toEqual([
    'the database does not answer; further errors of it are left out',
    'the database answers again',
  ]);
  await shop.close();
});

test('the health check names a wrong clock, a full disk and foreign migrations, once in the log', async () => {
  const inAnHour = { now: () => new Date(Date.now() + 60 * 60_000) };
  const shop = await start({ DISK_MIN_FREE_MB: '1000000000' }, inAnHour);
  const { db, close } = openDatabase(database.url);
  const rename = (from: string, to: string) =>
    sql`update migration set name = ${to} where name = ${from}`.execute(db);
  await rename('0023_suspensions.sql', '0098_later.sql');
  for (let asked = 0; asked < 2; asked += 1)
    expect(await checked()).toEqual({
      status: 503,
      ready: false,
      checks: {
        database: 'ok',
        migrations: 'the database lacks 1 of this version',
        clock: '3600 s ahead of the clock of the database',
        disk: expect.stringMatching(/^\d+ MiB free in the data folder, 1000000000 are needed$/),
      },
    });
  expect(said.filter(line => line.startsWith('this node is not ready: migrations: '))).toHaveLength(1);
  await rename('0098_later.sql', '0023_suspensions.sql');
  await close();
  await shop.close();
});
