import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import {
  beginOrder,
  clientSecretOf,
  confirmCard,
  logInByMail,
  PASSWORD,
  type Place,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import pg from 'pg';
import { basicEnv, root } from '../scripts/env.ts';
import { enrolmentToken } from '../scripts/stack/region.ts';
import { startStack } from '../scripts/stack/stack.ts';
import { cpuOf } from './calls/cpu.ts';
import { load, type Request } from './calls/load.ts';

/**
 * `npm run bench -- calls [--seconds 2] [--rounds 5] [--purchases 40]`: how many calls of each kind the shop answers in a
 * second, beside a bare Fastify and pg server on the same database, in turns; and what a purchase costs with all its jobs.
 * Medians. Ratios can be compared between machines, figures cannot.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    purchases: { type: 'string', default: '40' },
  },
});
const [seconds, rounds, purchases] = [values.seconds, values.rounds, values.purchases].map(Number) as [
  number,
  number,
  number,
];
const CUSTOMERS = 8;

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const stack = await startStack({
  dataDir,
  durable: false,
  env: { LIMITS_SCALE: '1000000', HUMAN_CHECK_COST: '1', LOG_LEVEL: 'error' },
});
const place: Place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
const shopPort = Number(new URL(stack.url).port);

async function buy(name: string): Promise<string> {
  const visitor = createClient(place.url);
  const email = `${name}@example.com`;
  const { consent, metadata } = await beginOrder(visitor);
  const bought = await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await confirmCard(place, clientSecretOf(bought.data));
  await visitor.order.confirmPurchase({ body: { metadata } });
  return email;
}

async function startBare(): Promise<{ port: number; stop(): void }> {
  const program = fileURLToPath(new URL('./calls/bare.ts', import.meta.url));
  const child = spawn(process.execPath, [program, stack.databaseUrls.owner], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return { port: JSON.parse(line).port, stop: () => void child.kill() };
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Answers per second of several ways, measured in turns. */
async function inTurns(ways: Record<string, [port: number, requests: Request[]]>, connections: number) {
  const measured: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, [port, requests]] of Object.entries(ways)) {
      await load(port, requests, { connections, seconds: seconds / 10 });
      const figure = await load(port, requests, { connections, seconds });
      measured[name] = [...(measured[name] ?? []), figure];
    }
  }
  return Object.fromEntries(Object.entries(measured).map(([name, each]) => [name, median(each)]));
}

const lines: string[] = [];
function row(name: string, ours: number, against: Record<string, number>, goal: string): void {
  const ratios = Object.entries(against).map(
    ([other, figure]) => `${(ours / figure).toFixed(2)} of ${other} (${Math.round(figure)})`,
  );
  lines.push(
    `${name.padEnd(16)} ${String(Math.round(ours)).padStart(6)} /s   ${ratios.join(', ').padEnd(52)} goal ${goal}`,
  );
  console.log(lines.at(-1));
}

async function measureCalls(tokens: string[], emails: string[]): Promise<void> {
  const bare = await startBare();
  const authorised = (request: Request) => tokens.map(token => ({ ...request, token }));
  const ask = { method: 'POST', body: {} } as const;
  const read = { method: 'GET' } as const;
  const hello: [number, Request[]] = [bare.port, [{ ...read, path: '/hello' }]];
  const both = async (path: string, bareRequest: Request, ours: Request, extra = {}) => {
    const ways = {
      ours: [shopPort, ours.token === '' ? [{ ...ours, path }] : authorised({ ...ours, path })],
      bare: [bare.port, authorised(bareRequest)],
      ...extra,
    } as Record<string, [number, Request[]]>;
    return await inTurns(ways, 32);
  };
  try {
    const list = await both(
      '/v1/subscription/mySubscription',
      { ...ask, path: '/mySubscription' },
      { ...ask, path: '' },
    );
    row('mySubscription', list.ours!, { bare: list.bare! }, '0.5 of bare (FP1)');
    const profile = await both('/v1/auth/profile', { ...read, path: '/profile' }, { ...read, path: '' });
    row('profile', profile.ours!, { bare: profile.bare! }, '0.5 of bare (FP2)');
    const bills = await both('/v1/billing/myBilling', { ...read, path: '/myBilling' }, { ...read, path: '' });
    row('myBilling', bills.ours!, { bare: bills.bare! }, '0.5 of bare (FP3)');
    const plans = await inTurns(
      {
        ours: [shopPort, [{ ...read, path: '/v1/order/getAllPlan' }]],
        bare: [bare.port, [{ ...read, path: '/getAllPlan' }]],
        hello,
      },
      32,
    );
    row('getAllPlan', plans.ours!, { hello: plans.hello!, bare: plans.bare! }, '0.7 of hello (FP4)');
    const texts = await inTurns(
      { ours: [shopPort, [{ ...read, path: '/v1/uiText/lang?lang=th', accept: 'br' }]], hello },
      32,
    );
    row('uiText', texts.ours!, { hello: texts.hello! }, '0.7 of hello (FP7)');
    const logins = await inTurns(
      {
        ours: [
          shopPort,
          emails.map(email => ({
            ...ask,
            path: '/v1/auth/login',
            body: { email, password: PASSWORD, refreshIn: 'body' },
          })),
        ],
        argon2: [bare.port, [{ ...ask, path: '/argon2-in-turn' }]],
        'argon2, all cores': [bare.port, [{ ...ask, path: '/argon2' }]],
      },
      CUSTOMERS,
    );
    const { ours = 0, ...raw } = logins;
    row('login', ours, raw, '0.9 of argon2 (FP5)');
  } finally {
    bare.stop();
  }
}

/** No job is under way or due. */
async function jobsDone(): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrls.owner });
  await client.connect();
  const left = `select from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now() limit 1`;
  await until(async () => (await client.query(left)).rowCount === 0, 'the jobs', 60_000);
  await client.end();
}

async function measurePurchases(): Promise<void> {
  const parts = { API: stack.api.pid!, PostgreSQL: stack.postgres!.pid, 'stand-in': stack.sandbox!.pid! };
  const used = () => Promise.all(Object.values(parts).map(cpuOf));
  await jobsDone();
  const idle = await used();
  await new Promise(done => setTimeout(done, 5_000));
  const rest = (await used()).map((now, index) => (now - idle[index]!) / 5_000);
  const before = await used();
  const begin = performance.now();
  let next = 0;
  const eight = Array.from({ length: 8 }, async () => {
    while (next < purchases) await buy(`buyer-${next++}`);
  });
  await Promise.all(eight);
  const bought = performance.now() - begin;
  await jobsDone();
  const whole = performance.now() - begin;
  const cpu = (await used()).map((now, index) => (now - before[index]! - rest[index]! * whole) / purchases);
  const each = Object.keys(parts).map((name, index) => `${name} ${cpu[index]!.toFixed(0)} ms`);
  console.log(
    `purchase         ${((purchases * 1000) / bought).toFixed(1)} /s, 8 at a time; CPU of one with its jobs: ${each.join(', ')}` +
      `   goal API + PostgreSQL 30 ms (FP6): ${(cpu[0]! + cpu[1]!).toFixed(0)} ms`,
  );
}

try {
  const env = { ...basicEnv(), ...databaseSettings(stack.databaseUrls), DATA_DIR: dataDir };
  const host = await startFakeHost(join(dataDir, 'agent.sock'), await enrolmentToken(root, env));
  const names = Array.from({ length: CUSTOMERS }, (_, index) => `bench-${index}`);
  const emails = await Promise.all(names.map(buy));
  const customers = await Promise.all(emails.map(email => logInByMail(place, email)));
  for (const { client } of customers) {
    const { data } = await client.subscription.mySubscription({ body: {} });
    const subscriptionId = data!.items[0]!.id;
    await until(
      async () =>
        (await client.subscription.getSubscription({ query: { id: subscriptionId } })).data?.status ===
        'active',
      'an active subscription',
    );
    await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  }
  await measureCalls(
    customers.map(customer => customer.token),
    emails,
  );
  await measurePurchases();
  await host.stop();
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
