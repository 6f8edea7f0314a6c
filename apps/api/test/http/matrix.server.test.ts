import { includesRole, type TeamRole, teamRoles } from '@fixpoint/contract/team-role.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleOfMatrix } from './matrix-people.ts';
import { type Answer, allCalls, type Call, ownedCalls, send, type Things } from './matrix-samples.ts';

let shop: TestShop;
let a: { client: TestClient; things: Things };
let b: { client: TestClient };
let member: TestClient;
let disabled: TestClient;
let unknown: Things;

beforeAll(async () => {
  shop = await startTestShop();
  ({ a, b, member, disabled, unknown } = await peopleOfMatrix(shop));
});
afterAll(() => shop?.stop());

const needsCustomer = allCalls.filter(({ endpoint }) => endpoint.auth === 'customer');
const names = (calls: Call[]) => calls.map(({ name, ...rest }) => [name, { name, ...rest }] as const);

test('S28 every call of the contract declares its access and has a row in the matrix', () => {
  for (const { name, endpoint, sample } of allCalls) {
    expect(['visitor', 'customer', 'link', 'any'], name).toContain(endpoint.auth);
    expect(
      sample,
      `${name} has no sample: add one to matrix-samples.ts, \`owned\` when it names a thing`,
    ).toBeDefined();
    if (endpoint.auth === 'customer') expect(teamRoles, name).toContain(endpoint.role);
    const takesId = JSON.stringify(sample!.input(a.things)) !== JSON.stringify(sample!.input(unknown));
    expect(takesId, `${name}: \`owned\` and the ids that it uses do not agree`).toBe(
      Boolean(sample!.owned ?? sample!.secret),
    );
  }
});

test('no call lacks a handler', async () => {
  for (const { name, sample } of allCalls)
    expect((await send(shop.client, name, sample!.input(unknown))).status, name).not.toBe(501);
});

describe('S29 a caller without their own session is refused, whatever id they name', () => {
  test.each(names(needsCustomer))('%s', async (name, { sample }) => {
    const refused: Answer = { status: 401, code: '8001', message: 'sessionExpired' };
    for (const client of [shop.client, disabled, createClient(shop.url, 'A'.repeat(43))]) {
      for (const things of [a.things, unknown]) {
        const answer = await send(client, name, sample!.input(things));
        expect(answer).toEqual(refused);
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
    '%s: an invalid token is refused and not treated as a visitor',
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

describe('S29 a member gets what they have no part in answered like something unknown', () => {
  const ofDevices = ownedCalls.filter(
    ({ endpoint, sample }) => endpoint.role === 'member' && endpoint.of !== 'user' && sample?.owned,
  );

  test.each(names(ofDevices))('%s', async (name, { sample }) => {
    const colleagues = await send(member, name, sample!.input(a.things));
    expect(colleagues).toEqual(await send(member, name, sample!.input(unknown)));
    expect(['6005', '6006']).toContain(colleagues.code);
  });
});

describe('S29 another customer’s id is answered like an unknown one', () => {
  test.each(names(ownedCalls))('%s', async (name, { sample }) => {
    const others = await send(b.client, name, sample!.input(a.things));
    const none = await send(b.client, name, sample!.input(unknown));
    expect(others).toEqual(none);
    expect(others.code).not.toBe('0000');
  });

  test('the owner gets in with the same requests, so the refusals above are about ownership', async () => {
    const last = ['subscription.deleteKey', 'account.endSession'];
    const ordered = ownedCalls.toSorted((x, y) => last.indexOf(x.name) - last.indexOf(y.name));
    const alike: string[] = [];
    for (const { name, sample } of ordered.filter(call => call.sample?.owned)) {
      const own = await send(a.client, name, sample!.input(a.things));
      const none = await send(b.client, name, sample!.input(unknown));
      if (own.code === none.code) alike.push(name);
    }
    // A code for another purpose is refused; passkeys need a browser and have their own tests.
    const refused = ['auth.verifyResetPassword', 'account.confirmEmail', 'account.removePasskey'];
    expect(alike.filter(name => !refused.includes(name))).toEqual([]);
  });
});

describe('S29 each role of a user × each call × own and other things', () => {
  let user: Awaited<ReturnType<TestShop['customer']>>;
  beforeAll(async () => {
    user = await shop.customer('matrix-user');
  });
  const setRole = async (role: TeamRole) => {
    const { id } = (await user.client.auth.profile()).data!;
    await shop.db.updateTable('session').set({ role }).where('customer_id', '=', id).execute();
  };
  const ruled = allCalls.filter(({ endpoint }) => endpoint.role);

  test.each(teamRoles)('%s', async role => {
    await setRole(role);
    const own = { ...unknown, subscription: user.subscriptionId };
    const wrong: string[] = [];
    for (const { name, endpoint, sample } of ruled) {
      const mayCall = includesRole(role, endpoint.role!);
      // Own things are not named by a call that is allowed, because it may change them.
      for (const things of mayCall ? [a.things] : [own, a.things, unknown]) {
        const { status, code } = await send(user.client, name, sample!.input(things));
        const refused = code === '8002' && status === 403;
        if (refused === mayCall) wrong.push(`${name}: ${status} ${code}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('a visitor is asked for no role', async () => {
    for (const { name, sample } of ruled.filter(({ endpoint }) => endpoint.auth === 'any'))
      expect((await send(shop.client, name, sample!.input(unknown))).code, name).not.toBe('8002');
  });
});
