import { createServer } from 'node:net';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveHuman, signUp } from '../helpers/people.ts';

const WRONG = 'Wrong!2345x';
let shop: TestShop;
let termsVersion: string;
beforeAll(async () => {
  shop = await startTestShop({ SIGNUP_REVEALS_EMAIL: 'false' });
  termsVersion = (await shop.client.text.getTerm()).data!.version;
});
afterAll(() => shop?.stop());

const login = (email: string, password: string, humanCheck?: string) =>
  shop.client.auth.login({ body: { email, password, ...(humanCheck && { humanCheck }) } });
const register = async (place: TestShop, email: string) => {
  const humanCheck = await proveHuman(place);
  return place.client.customer.register({
    body: { email, password: PASSWORD, termsVersion, language: 'en', humanCheck },
  });
};
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('two hundred concurrent logins do not slow down the price page', async () => {
  const share = (times: number[], part: number) =>
    times.sort((a, b) => a - b)[Math.floor(times.length * part)]!;
  const prices = async () => {
    const began = performance.now();
    expect((await shop.client.order.getAllPlan({ query: {} })).code).toBe('0000');
    const took = performance.now() - began;
    await new Promise(next => setTimeout(next, 20));
    return took;
  };
  // Measured without the logins before and after, because the machine may have other work.
  const otherwise: number[] = [];
  const look = async () => {
    for (let n = 0; n < 40; n += 1) otherwise.push(await prices());
  };
  await look();
  // Without proofs of work most of them would be refused.
  const proofs = await Promise.all(Array.from({ length: 200 }, () => proveHuman(shop)));
  let waiting = true;
  const crowd = Promise.all(proofs.map((proof, n) => login(`crowd${n}@example.com`, WRONG, proof))).finally(
    () => {
      waiting = false;
    },
  );
  const times: number[] = [];
  while (waiting) times.push(await prices());
  expect((await crowd).map(({ code }) => code)).toEqual(Array(200).fill('8005'));
  await look();

  expect(times.length).toBeGreaterThan(40);
  expect(share(times, 0.5)).toBeLessThan(Math.max(300, 3 * share(otherwise, 0.5)));
  expect(share(times, 0.95)).toBeLessThan(Math.max(300, 3 * share(otherwise, 0.95)));
}, 120_000);

test('S03 unknown, wrong, unverified and disabled have the same answer in the same time', async () => {
  const wrong = await signUp(shop, 'timing-wrong@example.com');
  const disabled = await signUp(shop, 'timing-disabled@example.com');
  await disabled.client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
  await register(shop, 'timing-unverified@example.com');
  const classes = {
    unknown: ['timing-nobody@example.com', PASSWORD],
    wrong: [wrong.email, WRONG],
    unverified: ['timing-unverified@example.com', PASSWORD],
    disabled: [disabled.email, PASSWORD],
  } as const;
  const names = Object.keys(classes) as (keyof typeof classes)[];
  const shares: Record<string, number[]> = Object.fromEntries(names.map(name => [name, []]));
  const answers = new Set<string>();
  for (let sample = 0; sample < 100; sample += 1) {
    const took: Record<string, number> = {};
    // Rotates the classes, so that each has every position of a round equally often.
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(place + sample) % names.length]!;
      const [email, password] = classes[name];
      // The first three tries do not wait.
      await shop.db.deleteFrom('limit_count').execute();
      const began = performance.now();
      const { headers, ...answer } = await login(email, password);
      took[name] = performance.now() - began;
      answers.add(JSON.stringify([answer, [...headers].filter(([key]) => key !== 'date')]));
    }
    // Compares within a round, because the load of the machine changes between rounds.
    const round = median(Object.values(took));
    for (const name of names) shares[name]!.push(took[name]! / round);
  }
  expect([...answers]).toHaveLength(1);
  const medians = Object.values(shares).map(median);
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.1);
}, 600_000);

test('S04 S05 a hanging mail server delays neither sign-up nor reset, for known and unknown addresses alike', async () => {
  const { email } = await signUp(shop, 'hang@example.com');
  const hanging = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise(listening => hanging.once('listening', listening));
  const { port } = hanging.address() as { port: number };
  const slow = await startTestShop({
    SIGNUP_REVEALS_EMAIL: 'false',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  });
  try {
    await slow.db
      .insertInto('customer')
      .values({ id: 'cus_x', email, language: 'en', password_hash: null, created_at: slow.clock.now() })
      .execute();
    const shapes = new Set<string>();
    const ask = async (at: TestShop, address: string) => {
      const began = performance.now();
      const answer = await at.client.auth.requestResetPassword({ body: { email: address } });
      const took = performance.now() - began;
      shapes.add(JSON.stringify({ ...answer, data: { ...answer.data, flow: answer.data!.flow.length } }));
      return took;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    // Measured with a working mail server, because the machine may have other work.
    const otherwise: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      known.push(await ask(slow, email));
      unknown.push(await ask(slow, `nobody${n}@example.com`));
      otherwise.push(await ask(shop, `nobody${n}@example.com`));
      slow.clock.advance(25 * 60 * 60_000);
    }
    expect(shapes.size).toBe(1);
    const limit = Math.max(50, 2 * median(otherwise));
    expect(Math.max(median(known), median(unknown))).toBeLessThan(limit);

    const signUpAnswer = async (address: string) => {
      const { headers: _, ...answer } = await register(slow, address);
      return { ...answer, data: { ...answer.data, flow: answer.data!.flow.length } };
    };
    expect(await signUpAnswer(email)).toEqual(await signUpAnswer('fresh@example.com'));
  } finally {
    hanging.close();
    await slow.stop();
  }
});
