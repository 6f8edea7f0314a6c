import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FailPoint } from '@fixpoint/api/failpoints.ts';
import { beginOrder, clientSecretOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import pg from 'pg';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { stopAndSearch } from '../searched-stop.ts';

/** kill -9 of the API at each step of a renewal, a month apart, against the real database and sandbox. */
const HOUR_MS = 60 * 60_000;
const EMAIL = 'chaos-renewal@example.com';

let stack: Stack;
let database: pg.Client;
let stripe: Stripe;
let folder: string;
let failpointFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
  failpointFile = join(folder, 'failpoint');
  stack = await startStack({
    dataDir: folder,
    keepAlive: false,
    env: { NODE_ENV: 'test', FAILPOINT_FILE: failpointFile, LIMITS_SCALE: '1000', LOG_LEVEL: 'debug' },
  });
  database = new pg.Client(stack.databaseUrls.owner);
  await database.connect();
  const keys = JSON.parse(await readFile(join(folder, 'sandbox/keys.json'), 'utf8')) as Record<
    string,
    string
  >;
  const { hostname, port } = new URL(stack.sandbox!.url);
  const secret = Object.values(keys).find(value => value.startsWith('sk_test_'))!;
  stripe = new Stripe(secret, { host: hostname, port, protocol: 'http' });
  const client = createClient(stack.url);
  const { consent, metadata } = await beginOrder(client);
  const bought = await client.order.purchase({ body: { ...consent, email: EMAIL, language: 'en' } });
  await confirmCard({ url: stack.url, sandboxUrl: stack.sandbox!.url }, clientSecretOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata } });
  await until(async () => (await subscription())?.status === 'active', 'the subscription', 60_000);
}, 120_000);

afterAll(async () => {
  await database?.end();
  if (stack) await stopAndSearch(stack, folder);
});

type Subscription = { status: string; period_end: Date; ahead: Date };
const subscription = async (): Promise<Subscription | undefined> =>
  (
    await database.query(`select status, period_end, now() + ahead_ms * interval '1 ms' as ahead
      from subscription, shop_clock`)
  ).rows[0];

/** Lets time pass in the shop; undefined when it dies of what falls due. */
const pass = async (ms: number) =>
  fetch(`${stack.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.sandbox!.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms: Math.round(ms) }),
  }).catch(() => undefined);

const armed = () =>
  readFile(failpointFile, 'utf8').then(
    () => true,
    () => false,
  );

const points: FailPoint[] = ['renewal.stepped', 'attempt.created', 'provider.paymentMade'];

test.each(points)(
  'killed at %s of a renewal: one invoice and one charge for its period',
  async point => {
    const before = (await subscription())!;
    await pass(before.period_end.getTime() - before.ahead.getTime() - 25 * HOUR_MS);
    await writeFile(failpointFile, point);
    const dying = pass(2 * HOUR_MS);
    await until(async () => !(await armed()), `the end at ${point}`, 60_000);
    await dying;
    await stack.api.restart();
    await until(
      async () => {
        await pass(60_000);
        return (await subscription())!.period_end > before.period_end;
      },
      'the next period',
      120_000,
    );
    const { rows } = await database.query(
      'select status from invoice where period_start = $1 and status <> $2',
      [before.period_end, 'void'],
    );
    expect(rows).toEqual([{ status: 'paid' }]);
  },
  240_000,
);

test('each month was charged once, and the books balance', async () => {
  const intents = await stripe.paymentIntents.list({ limit: 100 });
  const paid = intents.data.filter(({ status }) => status === 'succeeded');
  expect(paid).toHaveLength(1 + points.length);
  const { rows } = await database.query(
    'select txn from ledger_entry group by txn, currency having sum(amount) <> 0',
  );
  expect(rows).toEqual([]);
});
