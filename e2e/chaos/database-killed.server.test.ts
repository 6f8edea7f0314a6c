import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { beginOrder, logInByEmail, PASSWORD, type Place, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHostWithoutTunnels } from '../host-without-tunnels.ts';
import { stopAndSearch } from '../searched-stop.ts';

/** A node at work whose database connections are cut and whose database is killed. */
let stack: Stack;
let folder: string;
let place: Place;
let host: FakeHost;
let visitor: TestClient;
let customer: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
  // A node that dies stays dead, so that the test sees it.
  stack = await startStack({
    dataDir: folder,
    keepAlive: false,
    env: { LIMITS_SCALE: '100000', LOG_LEVEL: 'debug' },
  });
  place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  visitor = createClient(place.url);
  // The email with the link comes when the subscription is ready.
  host = await startHostWithoutTunnels(stack, folder);
  await buy('held@example.com');
  await logInByEmail(place, 'held@example.com');
});
// Step-up expires after five minutes, so each test logs in again.
beforeEach(async () => {
  const body = { email: 'held@example.com', password: PASSWORD };
  customer = createClient(place.url, (await visitor.auth.login({ body })).token);
});

afterAll(async () => {
  await host?.stop();
  if (stack) await stopAndSearch(stack, folder);
});

async function buy(email: string): Promise<string> {
  const { consent, metadata } = await beginOrder(visitor);
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  return metadata;
}

const calls = [
  () => customer.subscription.mySubscription({ body: {} }),
  () => customer.auth.profile(),
  () => customer.billing.myBilling({ query: {} }),
  () => visitor.text.getMaintainerStatus(),
];

/** Sends requests without pause during `work`. @returns the number of answers per code */
async function codesDuring(work: () => Promise<void>): Promise<Record<string, number>> {
  let asks = true;
  const codes: Record<string, number> = {};
  const line = async (call: () => Promise<{ code: string }>) => {
    while (asks) {
      const { code } = await call();
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  const lines = Promise.all([...calls, ...calls].map(line));
  await work().finally(() => {
    asks = false;
  });
  await lines;
  return codes;
}

/** Whether every call has its expected answer. */
async function allAnswered(): Promise<boolean> {
  const answers = await Promise.all(calls.map(call => call()));
  return answers.every(({ code }) => code === '0000');
}
/** Ten seconds on an idle machine. */
async function recovered(): Promise<void> {
  const began = performance.now();
  await until(allAnswered, 'all calls are answered again', 120_000);
  expect((performance.now() - began) / slowness()).toBeLessThan(10_000);
}
const unexpectedCodes = (codes: Record<string, number>) =>
  Object.keys(codes).filter(code => !['0000', '9902'].includes(code));

test('FM5 a node whose connections are all cut answers at most 9902 and recovers', async () => {
  const node = stack.api.pid!;
  const codes = await codesDuring(async () => {
    const admin = new pg.Client(stack.postgres!.adminUrl);
    await admin.connect();
    for (let time = 0; time < 5; time++) {
      await delay(300);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await admin.end();
    await recovered();
  });
  expect(unexpectedCodes(codes)).toEqual([]);
  expect(() => process.kill(node, 0)).not.toThrow();
});

test('FM5 a node survives kill -9 of PostgreSQL, answers 9902 meanwhile and works again within ten seconds', async () => {
  const node = stack.api.pid!;
  for (const _ of variants(['once', 'again', 'a third time'], 1)) {
    const codes = await codesDuring(async () => {
      await delay(500);
      const { pid } = stack.postgres!;
      process.kill(pid, 'SIGKILL');
      await until(async () => stack.postgres!.pid !== pid, 'another PostgreSQL');
      await recovered();
    });
    expect(unexpectedCodes(codes)).toEqual([]);
  }
  expect(() => process.kill(node, 0)).not.toThrow();
  // Jobs and live connections recover too: a purchase still creates an account.
  await buy('later@example.com');
  await logInByEmail(place, 'later@example.com');
});

test('FM11 a full disk is reported as a database error and the shop recovers when there is space again', async () => {
  const owner = new pg.Client(stack.databaseUrls.owner);
  await owner.connect();
  await owner.query(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  await owner.query('create trigger full_disk before insert on challenge execute function full_disk()');
  expect(await customer.auth.changePasswordOtp()).toMatchObject({ status: 503, code: '9902' });
  await owner.query('drop function full_disk() cascade');
  await owner.end();
  expect(await customer.auth.changePasswordOtp()).toMatchObject({ code: '0000' });
});
