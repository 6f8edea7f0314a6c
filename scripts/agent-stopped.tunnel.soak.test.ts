import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { namespaceOf } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { buyAsVisitor, logInByEmail, until } from '@fixpoint/testkit/buyer.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** What a customer is told while the agent of their host is stopped, and how soon it is true after its return. */
let folder: string;
let stack: Stack;
let region: { id: string };
const connected: Customer[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-stopped-'));
  const env = { SEED: 'demo', LIMITS_SCALE: '1000', HUMAN_CHECK_COST: '1' };
  stack = await startStack({ dataDir: folder, region: true, durable: false, env });
  if ('obstacle' in stack.region) throw new Error(`The demo region does not start: ${stack.region.obstacle}`);
  region = stack.region;
});
afterAll(async () => {
  await Promise.all(connected.map(customer => customer.stop()));
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Stops or continues the agent alone, like a machine that hangs; its tunnels run. */
async function signalAgent(signal: 'STOP' | 'CONT'): Promise<void> {
  const pids = (await must('ip', ['netns', 'pids', namespaceOf(region.id, 'vpn')]))
    .split('\n')
    .filter(Boolean);
  const commands = await Promise.all(
    pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  const agents = pids.filter((_, n) => /apps\/agent\/src\/main\.ts/.test(commands[n]!));
  expect(agents).toHaveLength(1);
  process.kill(Number(agents[0]), `SIG${signal}`);
}

test('K21 K22 nothing is called set up, ended or good before the host has said so', async () => {
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  await buyAsVisitor(place, 'anna@example.com', { planId: 'plus' });
  const { client } = await logInByEmail(place, 'anna@example.com');
  const { id } = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, 'an active subscription');
  const detail = async () => (await client.subscription.getSubscription({ query: { id } })).data!;
  const settingUp = async () => (await detail()).keys.filter(key => key.settingUp).map(({ name }) => name);
  const add = async (name: string) => {
    const added = await client.subscription.addKey({ body: { subscriptionId: id, name } });
    const keyId = added.data!.id;
    const file = await client.subscription.downloadKey({ body: { subscriptionId: id, keyId } });
    return { keyId, profile: file.data!.profile };
  };
  const first = await add('phone');
  const phone = await connectSoon({ region, profile: first.profile, timeoutMs: 60_000 });
  connected.push(phone);
  await until(async () => (await settingUp()).length === 0, 'the phone is set up');

  await signalAgent('STOP');
  const second = await add('laptop');
  expect(
    (await client.subscription.deleteKey({ body: { subscriptionId: id, keyId: first.keyId } })).code,
  ).toBe('0000');
  await sleep(10_000);
  // The phone goes on, and the page says so.
  expect(await phone.alive()).toBe(true);
  expect((await detail()).ending.map(({ name }) => name)).toEqual(['phone']);
  expect(await settingUp()).toEqual(['laptop']);
  await expect(connectCustomer({ region, profile: second.profile, timeoutMs: 15_000 })).rejects.toThrow(
    /AUTH_FAILED/,
  );
  const asked = performance.now();
  const deviceTime = new Date().toISOString();
  const { checks } = (await client.subscription.diagnose({ body: { id, deviceTime } })).data!;
  const seconds = (performance.now() - asked) / 1000;
  expect(checks.find(({ check }) => check === 'host')).toMatchObject({
    verdict: 'unknown',
    cause: 'noAnswer',
  });
  expect(checks.find(({ check }) => check === 'key')).toMatchObject({ verdict: 'bad', cause: 'settingUp' });
  expect((await client.subscription.restartServer({ body: { id } })).code).toBe('9903');

  const back = performance.now();
  await signalAgent('CONT');
  await until(async () => !(await phone.alive()), 'the phone is out');
  const outMs = Math.round(performance.now() - back);
  await until(async () => {
    const { keys, ending } = await detail();
    return ending.length === 0 && !keys.some(key => key.settingUp);
  }, 'the page says so');
  const saidMs = Math.round(performance.now() - back);
  const laptop = await connectSoon({ region, profile: second.profile, timeoutMs: 60_000 });
  connected.push(laptop);
  expect(await laptop.alive()).toBe(true);
  process.stdout.write(
    `diagnosis without an answer: ${seconds.toFixed(1)} s; agent back: phone out after ${outMs} ms, page true after ${saidMs} ms\n`,
  );
});
