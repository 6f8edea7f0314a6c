import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { sandboxOf } from '@fixpoint/dev-stack/environment.ts';
import type { Stack } from '@fixpoint/dev-stack/stack.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { buy, createBuyers, isPaid, mustBeServed, returnAndPay } from '@fixpoint/testkit/load-test/buyer.ts';
import { countFaults, enableFaults } from '@fixpoint/testkit/load-test/faults.ts';
import { inParallel, sellInYen, untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { settlePending } from '@fixpoint/testkit/load-test/pay.ts';
import { createPrng } from '@fixpoint/testkit/load-test/prng.ts';
import type { Shops } from '@fixpoint/testkit/load-test/shops.ts';
import { findViolations } from '@fixpoint/testkit/load-test/violations.ts';
import { controlOf } from '@fixpoint/testkit/sandbox.ts';
import { sql } from 'kysely';
import { signUp } from '../../apps/api/test/helpers/people.ts';
import { startHostWithoutTunnels } from '../host-without-tunnels.ts';
import { startFaultInjector } from './fault-injector.ts';

export type NodesLoadTestOptions = {
  dataDir: string;
  buyers: number;
  /** Chooses buyers and faults. Their timing depends on the machine, so a failure repeats often but not always. */
  seed: string;
  parallel: number;
  /** Longest pause of the database, in ms. */
  longestFreeze: number;
  say?(line: string): void;
};

/** Options of a stack for this load test. */
export const forLoadTest = {
  durable: true,
  keepAlive: false,
  env: { LIMITS_SCALE: '100000', HUMAN_CHECK_COST: '1', LOG_LEVEL: 'debug' },
} as const;

/**
 * Runs buyers at three nodes on one database, while nodes and database are killed and paused and the providers are faulty;
 * then everything runs and settles.
 * @param stack in which a process that dies stays dead
 * @returns violations
 */
export async function nodesLoadTest(stack: Stack, options: NodesLoadTestOptions): Promise<string[]> {
  const { dataDir, seed, parallel, say = () => {} } = options;
  const sandbox = stack.sandbox!;
  const control = controlOf(sandbox.url, sandbox.token);
  const second = await stack.startNode('api');
  const worker = await stack.startNode('worker');
  const host = await startHostWithoutTunnels(stack, dataDir);
  const { db, close } = openDatabase(stack.postgres!.adminUrl, 4);
  const prng = createPrng(`${seed}:nodes`);
  const shops: Shops = {
    sandboxUrl: sandbox.url,
    node: () => prng.pick([stack.url, second.url]),
    control,
  };
  try {
    const buyers = createBuyers(seed, options.buyers);
    await sellInYen(db);
    const shop = { url: stack.url, sandboxUrl: sandbox.url, client: createClient(stack.url) };
    for (const { email, behaviour } of buyers) if (behaviour === 'leaves') await signUp(shop, email);

    say('all nodes run');
    await enableFaults({ control }, seed, false);
    const nodes = [stack.api, second.child, worker.child];
    const faultInjector = startFaultInjector(
      stack,
      nodes,
      createPrng(`${seed}:fault-injector`),
      options.longestFreeze,
    );
    await inParallel(parallel, buyers, buyer => buy(shops, buyer));
    const { done, died } = await faultInjector.stop();
    say(`done: ${JSON.stringify(done)}`);
    const { calm } = await countFaults({ control });
    await control('faults', undefined, 'DELETE');

    const all = [stack.url, second.url];
    await until(async () => (await Promise.all(all.map(isHealthy))).every(Boolean), 'both nodes answer');
    await settlePending(control);
    await endCaptures(db);
    const unpayable: string[] = [];
    await inParallel(parallel, buyers.filter(mustBeServed), async buyer => {
      if (isPaid(buyer)) return;
      let back = await returnAndPay(shops, buyer);
      // A payment that was in progress can be paid a minute later.
      for (let waits = 0; back && !back.refused && waits < 12; waits += 1) {
        await delay(5_000);
        back = await returnAndPay(shops, buyer);
      }
      if (back) unpayable.push(`${buyer.email} (${buyer.behaviour}) cannot pay: ${back.why}`);
    });
    say('everybody has paid');
    await settle(db, control);
    say('all has settled');
    const remains = { db, clock: systemClock, control, settings: (await sandboxOf(dataDir))!, buyers };
    return [...died, ...calm, ...unpayable, ...(await findViolations(remains))];
  } finally {
    await host.stop();
    await close();
  }
}

const isHealthy = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;

/**
 * Settles what would take a day, by making every time that something waits for due now: first for payments and refunds,
 * then for unpaid orders.
 */
async function settle(db: Db, control: ReturnType<typeof controlOf>): Promise<void> {
  for (const ends of [false, false, true, false, false]) {
    // Releases delayed and retried webhooks and the bank's late answers.
    await control('clock/advance', { ms: 2 * 60 * 60_000 });
    // Rows that are in use stay locked.
    await settlePending(control);
    await untilJobsDone(db);
    await makeDue(db, ends);
    await untilJobsDone(db);
    await new Promise(done => setTimeout(done, 500));
    await untilJobsDone(db);
  }
}

/** A call that captures money has half a minute: by then it has died or finished. */
const endCaptures = (db: Db) =>
  sql`update attempt set updated_at = updated_at - interval '1 minute' where status = 'processing'`.execute(
    db,
  );

/** Two hours for everything that waits; a day for unpaid orders. */
async function makeDue(db: Db, ends: boolean): Promise<void> {
  const statements = [
    ends && `update shop_order set expires_at = now() where status in ('draft', 'awaitingPayment', 'failed')`,
    `update shop_order set paid_at = paid_at - interval '2 hours' where status = 'paid'`,
    `update attempt set ask_at = now() where ask_at is not null`,
    `update refund set ask_at = now(), updated_at = updated_at - interval '2 hours' where ask_at is not null`,
    `insert into pgboss.job (name) select name from pgboss.queue where name like 'task-%'`,
  ];
  for (const statement of statements) if (statement) await sql.raw(statement).execute(db);
  await endCaptures(db);
}
