import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  allCalls,
  type Call,
  type Input,
  nobodys,
  send,
  type Things,
} from './matrix-samples.ts';

const NOT_BUILT = 501;
const unknown: Things = { ...nobodys };

let shop: TestShop;
let a: { client: TestClient; token: string; things: Things };
let b: { client: TestClient; token: string };
let disabled: TestClient;

beforeAll(async () => {
  shop = await startTestShop();
  const owner = await shop.customer('matrix-a', 'duo');
  const { subscriptionId: subscription } = owner;
  const key = await owner.client.subscription.addKey({
    body: { subscriptionId: subscription, name: 'phone' },
  });
  const [invoice] = (await owner.client.billing.myBilling({ query: {} })).data!.items;
  const session = await shop.db
    .selectFrom('session')
    .innerJoin('customer', 'customer.id', 'session.customer_id')
    .select('session.id')
    .where('customer.email', '=', owner.email)
    .executeTakeFirstOrThrow();
  const { metadata } = await beginOrder(shop.client);
  const parts = metadata.split('|');
  const forge = (reference: string) =>
    [...parts.slice(0, 3), reference, parts[4], unknown.reference].join('|');
  unknown.forged = forge(unknown.reference);
  a = {
    ...owner,
    things: {
      ...unknown,
      subscription,
      key: key.data!.id,
      passkey: 'B'.repeat(22),
      invoice: invoice!.id,
      session: session.id,
      flow: (await owner.client.auth.changePasswordOtp()).data!.flow,
      metadata,
      forged: forge(parts[3]!),
      reference: parts[3]!,
    },
  };
  b = await shop.customer('matrix-b');
  const gone = await shop.customer('matrix-disabled');
  await shop.db.updateTable('customer').set({ status: 'disabled' }).where('email', '=', gone.email).execute();
  disabled = gone.client;
});
afterAll(() => shop?.stop());

const needsCustomer = allCalls.filter(({ endpoint }) => endpoint.auth === 'customer');
const ownedCalls = allCalls.filter(({ sample }) => sample?.owned || sample?.secret);
const names = (calls: Call[]) => calls.map(({ name, ...rest }) => [name, { name, ...rest }] as const);

test('S28 every call of the contract says who may call it, and has its line in the matrix', () => {
  for (const { name, endpoint, sample } of allCalls) {
    expect(['visitor', 'customer', 'link', 'any'], name).toContain(endpoint.auth);
    expect(
      sample,
      `${name} has no sample: add one to matrix-samples.ts, \`owned\` when it names a thing`,
    ).toBeDefined();
    const takesId = JSON.stringify(sample!.input(a.things)) !== JSON.stringify(sample!.input(unknown));
    expect(takesId, `${name}: \`owned\` and the ids that it uses do not agree`).toBe(
      Boolean(sample!.owned ?? sample!.secret),
    );
  }
});

describe('S29 nobody without a session of his own gets in, whatever id he names', () => {
  test.each(names(needsCustomer))('%s', async (name, { sample }) => {
    const refused: Answer = { status: 401, code: '8001', message: 'sessionExpired' };
    for (const client of [shop.client, disabled, createClient(shop.url, 'A'.repeat(43))]) {
      for (const things of [a.things, unknown]) {
        const answer = await send(client, name, sample!.input(things));
        if (answer.status !== NOT_BUILT) expect(answer).toEqual(refused);
      }
    }
  });
});

describe('S29 a link’s token or an access token is no other kind of token', () => {
  test.each(names(allCalls.filter(({ endpoint }) => endpoint.auth === 'link')))(
    '%s',
    async (name, { sample }) => {
      for (const client of [shop.client, a.client, b.client, disabled]) {
        expect(await send(client, name, sample!.input(a.things))).toMatchObject({
          status: 400,
          code: '8003',
        });
      }
    },
  );
  test.each(names(allCalls.filter(({ endpoint }) => endpoint.auth === 'any')))(
    '%s: a token that is none is refused, not taken for a visitor',
    async (name, { sample }) => {
      for (const client of [disabled, createClient(shop.url, 'A'.repeat(43))]) {
        expect(await send(client, name, sample!.input(a.things))).toMatchObject({
          status: 401,
          code: '8001',
        });
      }
    },
  );
});

describe('S29 another customer’s id is answered like one that does not exist', () => {
  test.each(names(ownedCalls))('%s', async (name, { sample }) => {
    const others = await send(b.client, name, sample!.input(a.things));
    const none = await send(b.client, name, sample!.input(unknown));
    expect(others).toEqual(none);
    expect(others.code).not.toBe('0000');
  });

  test('the owner himself is let in with the same requests, so the refusals above are about whose they are', async () => {
    const last = ['subscription.deleteKey', 'account.endSession'];
    const ordered = [...ownedCalls].sort((x, y) => last.indexOf(x.name) - last.indexOf(y.name));
    const alike: string[] = [];
    for (const { name, sample } of ordered.filter(call => call.sample?.owned)) {
      const own = await send(a.client, name, sample!.input(a.things));
      if (own.status === NOT_BUILT) continue;
      const none = await send(b.client, name, sample!.input(unknown));
      if (own.code === none.code) alike.push(name);
    }
    // A code of another purpose is refused like none; a passkey needs a browser and has its own tests.
    expect(
      alike.filter(name => !['auth.verifyResetPassword', 'account.removePasskey'].includes(name)),
    ).toEqual([]);
  });
});

test('S29 the time of an answer does not tell another’s id from an unknown one', {
  timeout: 120_000,
}, async () => {
  const PAIRS = 40;
  const median = (values: number[]) => values.toSorted((x, y) => x - y)[values.length >> 1]!;
  const measure = async (name: string, input: Input): Promise<number> => {
    const start = performance.now();
    await send(b.client, name, input);
    return performance.now() - start;
  };
  /**
   * Pairs of calls, one right after the other and each first in half of them. Told apart would mean: the medians are more
   * than 10 % apart, and four of five pairs lean to the same side — load on the machine does the first, never both.
   */
  const toldApart = async ({ name, sample }: Call): Promise<string | undefined> => {
    const [others, none]: [number[], number[]] = [[], []];
    for (let i = 0; i < PAIRS; i++) {
      const first = i % 2 === 0;
      if (first) others.push(await measure(name, sample!.input(a.things)));
      none.push(await measure(name, sample!.input(unknown)));
      if (!first) others.push(await measure(name, sample!.input(a.things)));
    }
    const [x, y] = [median(others), median(none)];
    const slower = others.filter((time, i) => time > none[i]!).length;
    const leans = Math.max(slower, PAIRS - slower) >= 0.8 * PAIRS;
    const apart = Math.abs(x - y) > Math.max(0.1 * Math.max(x, y), 0.3);
    return leans && apart ? `${name}: ${x.toFixed(1)} and ${y.toFixed(1)} ms` : undefined;
  };
  const found: string[] = [];
  for (const call of ownedCalls.filter(({ name }) => /^(subscription|billing|order)\./.test(name))) {
    const apart = (await toldApart(call)) && (await toldApart(call));
    if (apart) found.push(apart);
  }
  expect(found).toEqual([]);
});
