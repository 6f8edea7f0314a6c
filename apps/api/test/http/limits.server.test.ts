import { work } from '@fixpoint/contract/calls/session.ts';
import { limitOf, limits } from '@fixpoint/contract/limits.ts';
import { workBeyond } from '@fixpoint/domain/kernel/proof-of-work.ts';
import { workOfTry } from '@fixpoint/domain/payment/card-testing.ts';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeIn, proveHuman, signUp } from '../helpers/people.ts';
import { allCalls } from './matrix-samples.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WRONG = 'Wrong!2345x';
let shop: TestShop;
const lines: string[] = [];
beforeAll(async () => {
  // As in production, behind a proxy that names the client's address.
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' }, line => lines.push(line));
});
afterAll(() => shop?.stop());
// Each test has its own limits and day: at midnight UTC every network gets another name and new counts.
beforeEach(() => {
  const morning = new Date(shop.clock.now().getTime() + 49 * HOUR_MS).setUTCHours(6, 0, 0, 0);
  shop.clock.advance(morning - shop.clock.now().getTime());
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const login = (email: string, password: string, address = '198.51.100.1', humanCheck?: string) =>
  shop.client.auth.login({ body: { email, password, ...(humanCheck && { humanCheck }) } }, from(address));

const wantsWork = (work: number) => ({ status: 429, code: '9905', data: { humanCheck: true, work } });

describe('logging in', () => {
  test('S13 after three wrong passwords each try costs a proof of work and takes longer', async () => {
    const { email } = await signUp(shop, 'slow@example.com');
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await login(email, WRONG)).toMatchObject({ status: 400, code: '8005' });
    }
    const early = await login(email, PASSWORD);
    expect(early).toMatchObject({ status: 429, code: '9905' });
    expect(early.headers.get('retry-after')).toBe('1');
    shop.clock.advance(1000);
    const refused = await login(email, PASSWORD);
    expect(refused).toMatchObject({ status: 429, code: '9905', data: { humanCheck: true } });
    expect((await login(email, PASSWORD, undefined, await proveHuman(shop))).code).toBe('0000');
    // The right password resets the count.
    expect((await login(email, WRONG)).code).toBe('8005');
    expect((await login(email, PASSWORD)).code).toBe('0000');
  });

  test('S13 an unknown address is slowed down in the same way', async () => {
    const { email } = await signUp(shop, 'alike@example.com');
    const answers = async (address: string) => {
      const seen = [];
      for (let tries = 0; tries < 5; tries += 1) {
        const { status, code, data, headers } = await login(address, WRONG);
        seen.push({ status, code, data, wait: headers.get('retry-after') });
      }
      return seen;
    };
    expect(await answers('nobody@example.com')).toEqual(await answers(email));
  });

  test('S13 a thousand tries from a hundred addresses compare at most 100 passwords in an hour; the owner gets in', async () => {
    const { email } = await signUp(shop, 'target@example.com');
    shop.clock.advance(HOUR_MS);
    let compared = 0;
    for (let tries = 0; tries < 1000; tries += 1) {
      shop.clock.advance(3600);
      const address = `203.0.113.${tries % 100}`;
      let answer = await login(email, WRONG, address);
      if (answer.data && 'humanCheck' in answer.data) {
        answer = await login(email, WRONG, address, await proveHuman(shop));
      }
      if (answer.code === '8005') compared += 1;
      else expect(answer).toMatchObject({ status: 429, code: '9905' });
    }
    expect(compared).toBeGreaterThan(50);
    expect(compared).toBeLessThanOrEqual(100);
    // There is no lasting lock: the longest wait is 40 seconds.
    shop.clock.advance(40_000);
    expect((await login(email, PASSWORD, '198.51.100.7', await proveHuman(shop))).code).toBe('0000');
  });

  test('S13 an attacker who guesses endlessly from one network keeps the owner out for at most 40 seconds', async () => {
    const { email } = await signUp(shop, 'besieged@example.com');
    const stranger = '203.0.113.200';
    for (let compared = 0; compared < 11; ) {
      const answer = await login(email, WRONG, stranger, await proveHuman(shop));
      if (answer.code === '8005') compared += 1;
      else shop.clock.advance(Number(answer.headers.get('retry-after')) * 1000);
    }
    // Each second the attacker comes first with a proof, then the owner.
    let waited = 0;
    for (; waited <= 60; waited += 1) {
      await login(email, WRONG, stranger, await proveHuman(shop));
      const { code } = await login(email, PASSWORD, '198.51.100.8', await proveHuman(shop));
      if (code === '0000') break;
      shop.clock.advance(1000);
    }
    expect(waited).toBeLessThanOrEqual(40);
  });

  test('S13 a new password by email lets its owner in while others are guessing', async () => {
    const { email } = await signUp(shop, 'crowded@example.com');
    for (let n = 0; n < 30; n += 1) {
      await login(email, WRONG, `203.0.113.${n}`, await proveHuman(shop));
      shop.clock.advance(n < 9 ? 2 ** n * 500 : 40_000);
    }
    expect((await login(email, WRONG, '203.0.113.31', await proveHuman(shop))).code).toBe('8005');
    expect((await login(email, PASSWORD, '198.51.100.9', await proveHuman(shop))).status).toBe(429);
    const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
    const code = await codeIn(shop, email, /set a new password/);
    const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
    const password = 'kR7vQm2x!tulip';
    expect((await shop.client.auth.resetPassword({ body: { grant, password } })).code).toBe('0000');
    expect((await login(email, password, '198.51.100.9')).code).toBe('0000');
  });

  test('S13 concurrent tries cannot pass the limit', async () => {
    const { email } = await signUp(shop, 'burst@example.com');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => login(email, WRONG, `192.0.2.${n}`)),
    );
    expect(answers.filter(({ code }) => code === '8005')).toHaveLength(3);
  });

  test('S13 one address tries many accounts: beyond a hundred in an hour each costs a proof of work', async () => {
    const spray = (n: number, proof?: string) =>
      login(`user${n}@example.com`, WRONG, '2001:db8:1:2:3:4:5:6', proof);
    for (let n = 0; n < 100; n += 1) expect((await spray(n)).code).toBe('8005');
    expect(await spray(100)).toMatchObject(wantsWork(1));
    expect((await spray(100, await proveHuman(shop))).code).toBe('8005');
    // A /64 counts as one network; its neighbour is another.
    expect((await login('user101@example.com', WRONG, '2001:db8:1:2::9')).status).toBe(429);
    expect((await login('user101@example.com', WRONG, '2001:db8:1:3::9')).code).toBe('8005');
    shop.clock.advance(HOUR_MS);
    expect((await spray(102)).code).toBe('8005');
  });
});

describe('human check', () => {
  const wantsProof = async (email: string) => {
    for (let tries = 0; tries < 3; tries += 1) await login(email, WRONG);
    shop.clock.advance(1000);
  };

  test('a solution works once', async () => {
    const [{ email }, other] = [
      await signUp(shop, 'once@example.com'),
      await signUp(shop, 'twice@example.com'),
    ];
    await wantsProof(email);
    await wantsProof(other.email);
    const proof = await proveHuman(shop);
    expect((await login(email, PASSWORD, undefined, proof)).code).toBe('0000');
    expect(await login(other.email, PASSWORD, undefined, proof)).toMatchObject({
      status: 429,
      data: { humanCheck: true },
    });
  });

  test('FS12 a challenge expires, and a foreign, unsolved or malformed one is refused', async () => {
    const { email } = await signUp(shop, 'forged@example.com');
    await wantsProof(email);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const old = await proveHuman(shop);
    shop.clock.advance(5 * MINUTE_MS);
    const challenge = (await shop.client.account.humanCheck()).data as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    const cheap = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } };
    const cheapSolution = await solveChallenge({ challenge: cheap, deriveKey });
    for (const proof of [
      old,
      encode({ challenge: cheap, solution: cheapSolution }),
      encode({ challenge: { ...challenge, signature: '00'.repeat(32) }, solution }),
      encode({ challenge, solution: { ...solution, derivedKey: 'ff'.repeat(32) } }),
      encode({ challenge }),
      encode({ challenge: { ...challenge, parameters: null }, solution }),
      encode(null),
      'x',
    ]) {
      expect(await login(email, PASSWORD, undefined, proof)).toMatchObject({
        status: 429,
        data: { humanCheck: true },
      });
    }
    expect((await login(email, PASSWORD, undefined, encode({ challenge, solution }))).code).toBe('0000');
  });
});

test('S08 beyond twenty codes an hour for one address, whatever for, each costs a proof of work', async () => {
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const reset = (n: number, address: string, humanCheck?: string) =>
    shop.client.auth.requestResetPassword(
      { body: { email: `reset${n}@example.com`, humanCheck } },
      from(address),
    );
  const ask = async (n: number, address = '198.51.100.20') =>
    n % 2 ? reset(n, address) : register(`code${n}@example.com`, address, await proveHuman(shop));
  const register = (email: string, address: string, humanCheck: string) =>
    shop.client.customer.register(
      { body: { email, password: PASSWORD, termsVersion, language: 'en', humanCheck } },
      from(address),
    );
  for (let n = 0; n < 20; n += 1) expect((await ask(n)).code).toBe('0000');
  expect(await ask(21)).toMatchObject(wantsWork(1));
  expect((await reset(21, '198.51.100.20', await proveHuman(shop))).code).toBe('0000');
  expect((await ask(23, '198.51.100.21')).code).toBe('0000');
});

test('S04 a sign-up reveals whether an address is known only for a proof of work, every time', async () => {
  const { email: known } = await signUp(shop, 'listed@example.com');
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const address = '198.51.100.30';
  const register = async (email: string, humanCheck?: string) => {
    const body = { email, password: PASSWORD, termsVersion, language: 'en' as const, humanCheck };
    const { headers: _, ...answer } = await shop.client.customer.register({ body }, from(address));
    return answer;
  };
  const needsProof = { status: 429, code: '9905', data: { humanCheck: true } };
  // Requests without a proof reveal nothing and use up nothing.
  for (let n = 0; n < 25; n += 1)
    expect(await register(n % 2 ? known : `new${n}@example.com`)).toMatchObject(needsProof);
  expect(await register(known, 'bm90aGluZw==')).toMatchObject(needsProof);
  const proof = await proveHuman(shop);
  expect(await register(known, proof)).toMatchObject({ status: 400, code: '5002' });
  expect(await register('new@example.com', proof)).toMatchObject(needsProof);
  expect(await register('new@example.com', await proveHuman(shop))).toMatchObject({ code: '0000' });
});

test('FS6 FS11 a customer changes keys, contract, factors, language and starts confirmations only up to a limit', async () => {
  const { client } = await signUp(shop, 'restless@example.com');
  const subscriptionId = 'sub_none';
  let tries = 0;
  const ways = {
    changeKeys: () => client.subscription.deleteKey({ body: { subscriptionId, keyId: 'key_none' } }),
    changeContract: () => {
      // Both calls share a limit.
      const { cancelSubscription, planDowngrade } = client.subscription;
      tries += 1;
      return tries % 2
        ? cancelSubscription({ body: { id: subscriptionId } })
        : planDowngrade({ body: { id: subscriptionId, planId: null } });
    },
    changeFactors: () => client.account.newRecoveryCodes({ body: {} }),
    changeLanguage: () => client.account.setLanguage({ body: { language: 'th' } }),
    beginToConfirm: () => client.account.stepUpOptions({ body: {} }),
  };
  for (const [name, call] of Object.entries(ways) as [keyof typeof ways, (typeof ways)['changeKeys']][]) {
    const { most } = limits[name].perCustomer;
    for (let n = 0; n < most; n += 1) expect((await call()).code, name).not.toBe('9905');
    expect(await call(), name).toMatchObject({ status: 429, code: '9905' });
  }
});

test('FS7 nobody makes the shop query its provider endlessly', async () => {
  const ask = (metadata: string) =>
    shop.client.order.confirmPurchase({ body: { metadata } }, from('198.51.100.40'));
  for (let n = 0; n < limits.askPayment.perOrder.most; n += 1) await ask('x');
  expect(await ask('x')).toMatchObject(wantsWork(1));
  // A neighbour behind the same address waits for another order.
  expect((await ask('y')).code).toBe('7004');
});

test('every call that may require a proof of work has a field for it', () => {
  const guarded = allCalls.filter(({ endpoint }) => {
    const { guarded, perClient, perOrder, perCustomer } = endpoint.limit ? limitOf(endpoint.limit) : {};
    return guarded || perClient || perOrder || perCustomer?.beyond;
  });
  expect(guarded.length).toBeGreaterThan(5);
  for (const { name, endpoint } of guarded)
    expect((endpoint.body as { shape?: object }).shape, name).toHaveProperty('humanCheck');
});

test('S09 three hundred wrong codes in ten minutes require a proof from everybody and raise an alert', async () => {
  const alarms = () => lines.filter(line => JSON.parse(line).event === 'codes_guessed');
  const { email } = await signUp(shop, 'innocent@example.com');
  for (let account = 0; account < 61; account += 1) {
    const address = `198.18.0.${account}`;
    const body = { email: `guess${account}@example.com` };
    const { data } = await shop.client.auth.requestResetPassword({ body }, from(address));
    if (account < 60) {
      const guess = (code: string) =>
        shop.client.auth.verifyResetPassword({ body: { flow: data!.flow, code } }, from(address));
      for (let tries = 0; tries < 5; tries += 1) expect((await guess(`00000${tries}`)).code).toBe('7006');
      continue;
    }
    expect((await login(email, PASSWORD)).code).toBe('0000');
    expect(alarms()).toEqual([]);
    const body301 = { flow: data!.flow, code: '000000' };
    await shop.client.auth.verifyResetPassword({ body: body301 }, from(address));
  }
  expect(alarms()).toHaveLength(1);
  const refused = await login(email, PASSWORD);
  expect(refused).toMatchObject({ status: 429, code: '9905', data: { humanCheck: true } });
  expect((await shop.client.auth.requestResetPassword({ body: { email } })).status).toBe(429);
  expect((await login(email, PASSWORD, undefined, await proveHuman(shop))).code).toBe('0000');
  shop.clock.advance(10 * MINUTE_MS);
  expect((await login(email, PASSWORD)).code).toBe('0000');
});

test("S70 only the configured proxy may name the client's address", async () => {
  const direct = await startTestShop({ LIMITS_SCALE: '0.05' });
  try {
    const codes = [];
    for (let n = 0; n < 8; n += 1) {
      const body = { email: `spoof${n}@example.com`, password: WRONG };
      codes.push((await direct.client.auth.login({ body }, from(`198.51.100.${n}`))).code);
    }
    expect(codes).toEqual(['8005', '8005', '8005', '8005', '8005', '9905', '9905', '9905']);
  } finally {
    await direct.stop();
  }
});

test('S82 no address and no email stands in the counters, and the same address has another name tomorrow', async () => {
  const email = 'canary-limits@example.com';
  await login(email, WRONG, '198.51.100.99');
  const rows = () => sql<{ key: Buffer }>`select * from limit_count`.execute(shop.db);
  const before = await rows();
  const dump = JSON.stringify(before.rows) + before.rows.map(({ key }) => key.toString('latin1')).join();
  expect(dump).not.toContain('198.51.100.99');
  expect(dump).not.toContain(email);
  shop.clock.advance(24 * HOUR_MS);
  await login('another@example.com', WRONG, '198.51.100.99');
  const known = new Set(before.rows.map(({ key }) => key.toString('hex')));
  const added = (await rows()).rows.filter(({ key }) => !known.has(key.toString('hex')));
  expect(added).toHaveLength(3);
});

test('beyond a hundred and twenty orders an hour from one address each costs a proof of work', async () => {
  const body = { productId: 'nothing-like-it', currency: 'THB' };
  const begin = (address: string) => shop.client.order.getMetaData({ body }, from(address));
  for (let n = 0; n < 120; n += 1) expect((await begin('198.51.100.60')).code).toBe('6004');
  expect(await begin('198.51.100.60')).toMatchObject(wantsWork(1));
  expect((await begin('198.51.100.61')).code).toBe('6004');
});

const unknownOrder = async () => ({
  metadata: 'fixpoint|1|x|y|z|w',
  paymentMethod: 'card' as const,
  termsVersion: (await shop.client.text.getTerm()).data!.version,
  price: { currency: 'THB', price: 1 },
});

test('S43 beyond five payments an hour of a customer each costs a proof of work, wherever from', async () => {
  const { token } = await signUp(shop, 'cards@example.com');
  const customer = createClient(shop.url, token);
  const order = await unknownOrder();
  const pay = (n: number, humanCheck?: string) =>
    customer.order.purchaseLogin({ body: { ...order, humanCheck } }, from(`198.51.100.${n}`));
  for (let n = 0; n < 5; n += 1) expect((await pay(n)).code).not.toBe('9905');
  expect(await pay(5)).toMatchObject(wantsWork(1));
  // What is due is paid for the same price, as often as it takes.
  const due = (humanCheck?: string) =>
    customer.payment.payment(
      { body: { invoiceId: 'inv_none', paymentMethod: 'card', humanCheck } },
      from('198.51.100.5'),
    );
  expect(await due()).toMatchObject(wantsWork(1));
  expect((await due(await proveHuman(shop))).status).toBe(400);
  expect((await pay(5, await proveHuman(shop))).code).not.toBe('9905');
});

test('BG7 BG8 S43 the 21st buyer behind one address proves work instead of waiting, and a machine ever more', async () => {
  const order = await unknownOrder();
  let port = 40_000;
  const nextPort = () => {
    port += 1;
    return port;
  };
  const buy = (n: number, humanCheck?: string) =>
    shop.client.order.purchase(
      { body: { ...order, email: `c${n}@example.com`, language: 'en', humanCheck } },
      // A proxy that writes ports does not make each connection a client of its own.
      from(`198.51.100.51:${nextPort()}`),
    );
  for (let n = 0; n < 20; n += 1) expect((await buy(n)).code).not.toBe('9905');
  // Who only asks makes it no dearer for the neighbours.
  for (let n = 0; n < 25; n += 1) expect(await buy(n)).toMatchObject(wantsWork(1));
  for (let n = 0; n < 20; n += 1) expect((await buy(n, await proveHuman(shop))).code).not.toBe('9905');
  expect(await buy(41, await proveHuman(shop))).toMatchObject(wantsWork(2));
  expect((await buy(41, await proveHuman(shop, 2))).code).not.toBe('9905');
  // A logged-in neighbour is counted under the own account.
  const { token } = await signUp(shop, 'neighbour@example.com');
  const neighbour = createClient(shop.url, token);
  expect((await neighbour.order.purchaseLogin({ body: order }, from('198.51.100.51'))).code).not.toBe('9905');
});

test('S43 every price that a call may have is one that a challenge is made for', () => {
  const dearest = [workBeyond(1_000_000, 1), workOfTry(1_000_000, 1)];
  expect(dearest.map(price => work.safeParse(price).success)).toEqual([true, true]);
});

test('S13 a network that asks for many human checks still gets one', async () => {
  for (let n = 0; n < 310; n += 1)
    expect((await shop.client.account.humanCheck({}, from('198.51.100.80'))).code).toBe('0000');
});
