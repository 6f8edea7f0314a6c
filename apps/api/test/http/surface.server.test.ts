import { createServer } from 'node:http';
import { connect } from 'node:net';
import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer as createShopServer } from '../../src/http/server.ts';
import { allCalls, nobodys, noThings, samples, send, type Things } from './matrix-samples.ts';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
const logged: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({}, line => logged.push(line));
  customer = await shop.customer('surface');
});
afterAll(() => shop?.stop());

const withBody = allCalls.filter(({ endpoint }) => endpoint.body);
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.token}`, ...headers },
    body,
  });

describe('S31 no body may have a field that its call does not declare', () => {
  const smuggled = {
    role: 'staff',
    price: 1,
    // A valid field in filters of lists; this value is invalid.
    status: 'granted',
    customerId: 'cus_x',
    expiry: 9e12,
    isAdmin: true,
  };
  test.each(withBody.map(call => [call.name, call] as const))('%s', async (_, { endpoint, sample }) => {
    const body = (sample!.input(noThings).body ?? {}) as Record<string, unknown>;
    // A call may have a field of that name as a filter.
    const declared = (endpoint.body as { shape?: object }).shape ?? {};
    for (const [name, value] of Object.entries(smuggled)) {
      if (name in body || name in declared) continue;
      const answer = await post(endpoint.path, JSON.stringify({ ...body, [name]: value }));
      expect(answer.status, name).toBe(400);
      expect(await answer.json(), name).toMatchObject({ code: '7004' });
    }
    for (const poison of ['"__proto__":{"role":"staff"}', '"constructor":{"prototype":{"role":"staff"}}']) {
      const text = JSON.stringify(body);
      const poisoned = text === '{}' ? `{${poison}}` : text.replace('{', `{${poison},`);
      const answer = await post(endpoint.path, poisoned);
      expect(answer.status, poison).toBe(400);
    }
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('answers have only the fields of the contract', async () => {
    const { data } = await customer.client.auth.profile();
    expect(JSON.stringify(data)).not.toMatch(/hash|secret|token/i);
  });
});

describe('S62 no request keeps the server busy', () => {
  test('FS2 a body of more than 16 KB is refused', async () => {
    const answer = await post('/v1/auth/login', JSON.stringify({ email: 'x'.repeat(16_400) }));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: '7004' });
  });

  test('deep and wide bodies are refused like any other wrong one', async () => {
    const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    const wide = JSON.stringify({ id: 'sub_x', keys: Array(5_000).fill(0) });
    for (const body of [deep, `{"email":${deep.slice(2_000, 14_000)}}`]) {
      expect((await post('/v1/auth/login', body)).status).toBe(400);
    }
    expect((await post('/v1/subscription/adjustBw', wide)).status).toBe(400);
  });
});

describe('S68 a fault reveals nothing about internals', () => {
  const quiet = (said: unknown) => {
    const text = JSON.stringify(said);
    expect(text).not.toMatch(
      /relation|select |node_modules|\.ts|at \w|pg|kysely|fastify|zod|stripe|\d+\.\d+\.\d+/i,
    );
    expect(said).toMatchObject({
      code: '9900',
      message: 'unexpected',
      data: { ref: expect.stringMatching(/^[\da-f-]{36}$/) },
    });
  };

  test('in the database', async () => {
    await shop.db.schema.alterTable('session').renameTo('session_gone').execute();
    const answer = await customer.client.auth.profile();
    await shop.db.schema.alterTable('session_gone').renameTo('session').execute();
    expect(answer.status).toBe(500);
    const { headers: _, status: _s, ...said } = answer;
    quiet(said);
  });

  test('in an answer that violates the contract', async () => {
    await shop.db
      .updateTable('customer')
      .set({ language: 'tlh' })
      .where('email', '=', customer.email)
      .execute();
    const { headers: _, status, ...said } = await customer.client.auth.profile();
    await shop.db
      .updateTable('customer')
      .set({ language: 'en' })
      .where('email', '=', customer.email)
      .execute();
    expect(status).toBe(500);
    quiet(said);
  });

  test('at the provider, which refuses our call', async () => {
    const { consent } = await beginOrder(shop.client);
    await shop.sandbox.fault({ path: 'POST /v1/customers' }, '409', 10);
    const body = { ...consent, email: 'fault@example.com', language: 'en' as const };
    const { headers: _, status, ...said } = await shop.client.order.purchase({ body });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(said)).not.toMatch(/stripe|idempot|customers|node_modules/i);
  });

  test('in a handler, a hook or a parser', async () => {
    const app = await createShopServer(false);
    app.get('/handler', async () => {
      throw new TypeError('secret of the house at /srv/shop.ts');
    });
    app.get('/odd', async () => {
      throw 'a text, not an error';
    });
    app.get('/hook', { preHandler: async () => Promise.reject(new Error('secret')) }, async () => 'never');
    app.get('/teapot', async () => {
      throw Object.assign(new Error('secret'), { statusCode: 418 });
    });
    for (const url of ['/handler', '/odd', '/hook', '/teapot']) {
      const answer = await app.inject({ url });
      expect(answer.statusCode, url).toBe(500);
      expect(answer.body).not.toContain('secret');
      quiet(answer.json());
    }
    await app.close();
  });
});

describe('S69 slow clients are cut off', () => {
  test('the server’s timeouts are set', async () => {
    const app = await createShopServer(false);
    expect(app.server.requestTimeout).toBeGreaterThan(0);
    expect(app.server.requestTimeout).toBeLessThanOrEqual(60_000);
    expect(app.server.headersTimeout).toBeLessThanOrEqual(60_000);
    expect(app.server.timeout).toBeGreaterThan(0);
    await app.close();
  });

  test('an incomplete request is ended', async () => {
    // Node checks unfinished requests every 30 s by default; this test shortens the interval.
    const app = await createShopServer(false, [], undefined, {
      requestTimeout: 500,
      headersTimeout: 500,
      connectionsCheckingInterval: 100,
    });
    app.post('/slow', async () => 'never');
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /slow HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    const answer = await new Promise<string>(done => {
      let text = '';
      socket.setEncoding('utf8').on('data', data => {
        text += data;
      });
      socket.on('close', () => done(text));
      socket.on('error', () => {});
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    await app.close();
  });

  /** Blocks the loop in steps of 1.5 s until the server refuses. @returns its answers */
  async function blocked(blocks: number, maxEventLoopDelay?: number) {
    const app = await createShopServer(false, [], maxEventLoopDelay);
    app.get('/busy', async () => ({ code: '0000' }));
    let answer = await app.inject('/busy');
    expect(answer.statusCode).toBe(200);
    for (let i = 0; i < blocks && answer.statusCode === 200; i++) {
      const end = performance.now() + 1_500;
      while (performance.now() < end);
      await new Promise(done => setImmediate(done));
      answer = await app.inject('/busy');
    }
    await app.close();
    return answer;
  }

  test('a blocked event loop answers 503 with the time to retry, and recovers', async () => {
    const answer = await blocked(8);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
    // The shop runs in this process and answers again when the loop has caught up.
    await expect.poll(async () => (await fetch(`${shop.url}/config.json`)).status).toBe(200);
  });

  test('nobody is refused while the loop is blocked for less than the limit', async () => {
    expect((await blocked(4, 60_000)).statusCode).toBe(200);
  });
});

test('S72 the public configuration has public values only, and nothing internal is served', async () => {
  const config = await (await fetch(`${shop.url}/config.json`)).text();
  expect(config).not.toMatch(/sk_(test|live)|whsec_|rk_|password|postgres|smtp/i);
  const hidden = [
    '/.git/config',
    '/.env',
    '/package.json',
    '/node_modules/',
    '/metrics',
    '/debug',
    '/admin',
    '/documentation',
    '/swagger',
    '/.inputs',
    '/.vite/manifest.json',
    '/assets/',
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/server-status',
  ];
  for (const path of hidden) expect((await fetch(`${shop.url}${path}`)).status, path).toBe(404);
});

test('S72 a shop with real providers shows no error references', async () => {
  const selling = await startTestShop({ SANDBOX_URL: '' });
  try {
    for (const path of ['/docs', '/openapi.json', '/docs.css']) {
      expect((await fetch(`${selling.url}${path}`)).status, path).toBe(404);
      expect((await fetch(`${shop.url}${path}`)).status, path).toBe(200);
    }
  } finally {
    await selling.stop();
  }
});

test('S25 no GET changes anything', async () => {
  const state = async () => {
    // Except counters, and what the host, the scheduled tasks and the node's heartbeat write meanwhile.
    const others = ['limit_count', 'host', 'pending_change', 'node'];
    const tables = (await shop.db.introspection.getTables()).filter(
      ({ schema, name }) => schema === 'public' && !others.includes(name),
    );
    expect(tables.length).toBeGreaterThan(25);
    const dumps = tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`.execute(shop.db);
      return [name, ...rows.map(({ row }) => row)];
    });
    return Promise.all(dumps);
  };
  const { subscriptionId: subscription } = customer;
  const { data: key } = await customer.client.subscription.addKey({
    body: { subscriptionId: subscription, name: 'looked-at' },
  });
  const [invoice] = (await customer.client.billing.myBilling({ query: {} })).data!.items;
  const things: Things = { ...nobodys, subscription, key: key!.id, invoice: invoice!.id };
  // Runs the scheduled tasks before, because a full minute may pass during the calls.
  await shop.sweep();
  const before = await state();
  for (const { name, endpoint, sample } of allCalls.filter(call => call.endpoint.method === 'GET')) {
    const client = endpoint.auth === 'visitor' ? shop.client : customer.client;
    for (const named of [things, noThings]) await send(client, name, sample!.input(named));
  }
  expect(await state()).toEqual(before);
});

test('S61 redirects of a provider are not followed', async () => {
  const asked: string[] = [];
  const provider = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(302, { location: '/latest/meta-data/' }).end();
  });
  await new Promise<void>(done => provider.listen(0, '127.0.0.1', done));
  const { port } = provider.address() as { port: number };
  const other = await startTestShop({ STRIPE_API_PORT: String(port) });
  const client = createClient(other.url);
  const { consent } = await beginOrder(client);
  const body = { ...consent, email: 'redirect@example.com', language: 'en' as const };
  expect((await client.order.purchase({ body })).status).toBeGreaterThanOrEqual(500);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every(url => url.startsWith('/v1/'))).toBe(true);
  await other.stop();
  await new Promise(done => provider.close(done));
});

test('every sample of the matrix is a well-formed request', () => {
  for (const { name, endpoint, sample } of allCalls) {
    const { body } = sample!.input(noThings);
    if (endpoint.body) expect(endpoint.body.safeParse(body).success, name).toBe(true);
  }
  expect(Object.keys(samples).length).toBeGreaterThan(0);
});
