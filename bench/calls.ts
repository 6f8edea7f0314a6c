import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { beginOrder, logInByEmail, PASSWORD, type Place, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import pg from 'pg';
import { startHostWithoutTunnels } from '../e2e/host-without-tunnels.ts';
import { cpuOf } from './calls/cpu.ts';
import { load, type Request } from './calls/load.ts';
import { readArguments } from './command/arguments.ts';
import { verdict } from './command/verdict.ts';

/**
 * `npm run bench -- calls` measures how many calls of each kind the shop answers per second, alternating with a bare Fastify
 * and pg server on the same database, and the CPU cost of a purchase with all its jobs. Prints medians. Ratios can be
 * compared between machines, absolute figures cannot; on a busy machine trust the ratios by CPU. `--only` selects one
 * comparison, `--connections` sets the number of concurrent connections. Prints each goal as reached or missed and exits
 * with 1 when one is missed; docs/decisions/0050-performance-goals.md lists the known misses.
 */
const { values } = readArguments(
  'calls [--seconds 2] [--rounds 5] [--customers 8] [--purchases 40] [--connections 32] [--only "an order"]',
  0,
  {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    customers: { type: 'string', default: '8' },
    purchases: { type: 'string', default: '40' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
  },
);
const [seconds, rounds, purchases] = [values.seconds, values.rounds, values.purchases].map(Number) as [
  number,
  number,
  number,
];
const [customersAtOnce, connectionsAtOnce] = [Number(values.customers), Number(values.connections)];
/** How long the idle shop is measured. */
const restMs = seconds * 2_500;

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const stack = await startStack({
  dataDir,
  durable: false,
  env: { LIMITS_SCALE: '1000000', HUMAN_CHECK_COST: '1', LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' },
});
const place: Place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
const shopPort = Number(new URL(stack.url).port);

async function buy(name: string): Promise<string> {
  const visitor = createClient(place.url);
  const email = `${name}@example.com`;
  const { consent, metadata } = await beginOrder(visitor);
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  return email;
}

type Server = { port: number; pid: number };

async function startBare(bytes: number): Promise<Server & { stop(): void }> {
  const program = fileURLToPath(new URL('./calls/bare.ts', import.meta.url));
  const child = spawn(process.execPath, [program, stack.databaseUrls.owner, String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return { port: JSON.parse(line).port, pid: child.pid!, stop: () => void child.kill() };
}

/** Size of a response body on the wire, in bytes. */
const sizeOf = async ({ path, accept }: { path: string; accept: string }): Promise<number> => {
  const answer = once(get(`${stack.url}${path}`, { headers: { 'accept-encoding': accept } }), 'response');
  const [response] = (await answer) as [AsyncIterable<Buffer>];
  let size = 0;
  for await (const part of response) size += part.length;
  return size;
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Responses per second, and CPU of server and database per response in microseconds. */
type Figure = { rate: number; cpu: number };
type Candidate = { server: Server; requests: Request[] };

async function measure({ server, requests }: Candidate, connections: number): Promise<Figure> {
  const used = async () => (await cpuOf(server.pid)) + (await cpuOf(stack.postgres!.pid));
  await load(server.port, requests, { connections, seconds: seconds / 10 });
  const before = await used();
  const { answers, seconds: took } = await load(server.port, requests, { connections, seconds });
  return { rate: answers / took, cpu: (((await used()) - before) * 1000) / answers };
}

/** Minimum share of another candidate's rate; with `cost`, of its CPU too. */
type Goal = { least: number; of: string; id: string; cost?: true };

/** Measures several candidates in turns, so that other load on the machine affects all of them, and prints the medians. */
async function compare(
  name: string,
  goal: Goal,
  candidates: Record<string, Candidate>,
  connections = connectionsAtOnce,
): Promise<void> {
  if (values.only && values.only !== name) return;
  const measured = new Map<string, Figure[]>(Object.keys(candidates).map(name => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [candidate, figures] of measured)
      figures.push(await measure(candidates[candidate]!, connections));
  const [ours, ...others] = [...measured].map(([candidate, figures]) => ({
    candidate,
    rate: median(figures.map(({ rate }) => rate)),
    cpu: median(figures.map(({ cpu }) => cpu)),
  }));
  const ratios = others.map(
    ({ candidate, rate, cpu }) =>
      `${(ours!.rate / rate).toFixed(2)} of ${candidate} (${rate.toFixed(0)} /s; by CPU ${(cpu / ours!.cpu).toFixed(2)})`,
  );
  const one = others.find(({ candidate }) => candidate === goal.of)!;
  const share = { rate: ours!.rate / one.rate, CPU: one.cpu / ours!.cpu };
  const verdicts = (goal.cost ? (['rate', 'CPU'] as const) : (['rate'] as const)).map(by =>
    verdict(`${goal.least} of ${goal.of} by ${by} (${goal.id})`, share[by] >= goal.least),
  );
  const own = `${ours!.rate.toFixed(0).padStart(6)} /s, ${ours!.cpu.toFixed(0)} µs`;
  console.log(`${name.padEnd(15)} ${own.padEnd(20)} ${ratios.join(', ')}   ${verdicts.join(', ')}`);
}

async function measureCalls(tokens: string[], emails: string[]): Promise<void> {
  const texts = { path: '/v1/uiText/lang?lang=th', accept: 'br' };
  const bare = await startBare(await sizeOf(texts));
  const shop: Server = { port: shopPort, pid: stack.api.pid! };
  const candidate = (server: Server, ...requests: Request[]): Candidate => ({ server, requests });
  const authorised = (server: Server, request: Request) =>
    candidate(server, ...tokens.map(token => ({ ...request, token })));
  const read = (path: string, more: Partial<Request> = {}): Request => ({ method: 'GET', path, ...more });
  const ask = (path: string, body: object = {}): Request => ({ method: 'POST', path, body });
  const hello = candidate(bare, read('/hello'));
  try {
    await compare(
      'mySubscription',
      { least: 0.5, of: 'bare', id: 'FP1' },
      {
        ours: authorised(shop, ask('/v1/subscription/mySubscription')),
        bare: authorised(bare, ask('/mySubscription')),
      },
    );
    await compare(
      'profile',
      { least: 0.5, of: 'bare', id: 'FP2' },
      {
        ours: authorised(shop, read('/v1/auth/profile')),
        bare: authorised(bare, read('/profile')),
      },
    );
    await compare(
      'myBilling',
      { least: 0.5, of: 'bare', id: 'FP3' },
      {
        ours: authorised(shop, read('/v1/billing/myBilling')),
        bare: authorised(bare, read('/myBilling')),
      },
    );
    await compare(
      'getAllPlan',
      { least: 0.3, of: 'hello', id: 'FP4' },
      {
        ours: candidate(shop, read('/v1/order/getAllPlan')),
        hello,
        bare: candidate(bare, read('/getAllPlan')),
      },
    );
    const { product } = (
      await createClient(place.url).order.getProduct({
        body: {
          planId: 'solo',
          cycleCount: 1,
          currency: 'THB',
          providerId: 'demo',
          regionId: 'th-bkk',
          vendorId: 'fixpoint',
        },
      })
    ).data!;
    await compare(
      'an order',
      { least: 0.45, of: 'bare', id: '2.2 times the bare SQL', cost: true },
      {
        ours: candidate(shop, ask('/v1/order/getMetaData', { productId: product.id, currency: 'THB' })),
        bare: candidate(bare, ask('/order', { productId: product.id })),
      },
    );
    await compare(
      'uiText',
      { least: 0.25, of: 'hello', id: 'FP7' },
      {
        ours: candidate(shop, read(texts.path, { accept: texts.accept })),
        hello,
        'the same bytes': candidate(bare, read('/bytes')),
      },
    );
    const logIn = (email: string) => ask('/v1/auth/login', { email, password: PASSWORD, refreshIn: 'body' });
    await compare(
      'login',
      { least: 0.9, of: 'argon2', id: 'FP5' },
      {
        ours: candidate(shop, ...emails.map(logIn)),
        argon2: candidate(bare, ask('/argon2-in-turn')),
        'argon2 on all cores': candidate(bare, ask('/argon2')),
      },
      customersAtOnce,
    );
  } finally {
    bare.stop();
  }
}

/** Waits until no job is active or due. */
async function waitForJobs(): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrls.owner });
  await client.connect();
  const left = `select from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now() limit 1`;
  await until(async () => (await client.query(left)).rowCount === 0, 'the jobs', 60_000);
  await client.end();
}

async function measurePurchases(): Promise<void> {
  const parts = { API: stack.api.pid!, PostgreSQL: stack.postgres!.pid, sandbox: stack.sandbox!.pid! };
  const used = () => Promise.all(Object.values(parts).map(cpuOf));
  await waitForJobs();
  const idle = await used();
  await new Promise(done => setTimeout(done, restMs));
  const rest = (await used()).map((now, index) => (now - idle[index]!) / restMs);
  const before = await used();
  const begin = performance.now();
  let next = 0;
  const buyers = Array.from({ length: 8 }, async () => {
    while (next < purchases) await buy(`buyer-${next++}`);
  });
  await Promise.all(buyers);
  const bought = performance.now() - begin;
  await waitForJobs();
  const whole = performance.now() - begin;
  const cpu = (await used()).map((now, index) => (now - before[index]! - rest[index]! * whole) / purchases);
  const ours = cpu[0]! + cpu[1]!;
  const each = Object.keys(parts).map((name, index) => `${name} ${cpu[index]!.toFixed(0)} ms`);
  console.log(
    `purchase         ${((purchases * 1000) / bought).toFixed(1)} /s, 8 at a time; CPU of one with its jobs: ${each.join(', ')}` +
      `   API + PostgreSQL ${ours.toFixed(0)} ms, ${verdict('30 ms (FP6)', ours <= 30)}`,
  );
}

try {
  const host = await startHostWithoutTunnels(stack, dataDir);
  const names = Array.from({ length: customersAtOnce }, (_, index) => `bench-${index}`);
  const emails = await Promise.all(names.map(buy));
  const customers = await Promise.all(emails.map(email => logInByEmail(place, email)));
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
  if (seconds > 0)
    await measureCalls(
      customers.map(customer => customer.token),
      emails,
    );
  if (!values.only || values.only === 'purchase') await measurePurchases();
  await host.stop();
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
