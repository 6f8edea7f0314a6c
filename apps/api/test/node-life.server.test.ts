import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/ports.ts';
import { type Shop, startShop } from '../src/compose.ts';
import { readEnv } from '../src/env.ts';
import { createLogger } from '../src/logger.ts';
import { startGate } from './gate.ts';

/** How a node begins while its database does not play along. */
let database: TestDatabase;
let gate: Awaited<ReturnType<typeof startGate>>;
let folder: string;
let port: number;
/** What it said at the level of an error. */
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

const start = (): Promise<Shop> =>
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
      ...databaseSettings(gate.database.urls),
    }),
    createLogger('error', { write: line => void said.push((JSON.parse(line) as { msg: string }).msg) }),
  );
const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
test('FM5 a start waits for a database that is not there yet, and says so', async () => {
  gate.shut();
  const starting = start();
  await delay(1_000);
  gate.open();
  const shop = await starting;
  expect(await isReady()).toBe(true);
  expect(said).toContain('the shop waits for its database');
  await shop.close();
});

test('FM5 a start that the database dies under begins anew, however far it was', async () => {
  let anew = 0;
  // At a connection of the migrations, of the roles, of the pools, of the jobs, of the live bus.
  for (const connection of [1, 3, 4, 8, 10, 12]) {
    said.length = 0;
    gate.cutAt(connection);
    const shop = await start();
    expect(await isReady(), `cut at connection ${connection}`).toBe(true);
    if (said.includes('the shop waits for its database')) anew += 1;
    await shop.close();
  }
  // A connection that nobody is waiting for harms no start.
  expect(anew).toBeGreaterThan(3);
});
