import type { Db } from '@fixpoint/api/ports/database.ts';
import { sql } from 'kysely';
import { until } from '../buyer.ts';
import type { TestShop } from '../shop.ts';
import {
  type Buyer,
  buy,
  createBuyers,
  isPaid,
  mustBeServed,
  payOpenPayment,
  resubmitOrder,
  returnAndPay,
} from './buyer.ts';
import { countFaults, enableFaults } from './faults.ts';
import { settlePending } from './pay.ts';
import { createPrng } from './prng.ts';
import type { Shops } from './shops.ts';
import { findViolations } from './violations.ts';

export type LoadTestOptions = {
  buyers: number;
  seed: string;
  /**
   * Buyers at a time. With 1, a seed repeats the same calls and faults in the same order. Webhooks and jobs still run beside
   * them, so a failure repeats often but not always.
   */
  parallel: number;
  /** Adds faults that make a caller wait for 10 s. */
  patient?: boolean;
  /** Creates an account with the password of all test customers. */
  signUp(email: string): Promise<unknown>;
  /** Receives progress messages. */
  say?(line: string): void;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Runs a load test: buyers buy while faults strike by a seed, then the faults stop and time passes until everything has
 * settled.
 * @returns violations; empty when there are none
 */
export async function runLoadTest(shop: TestShop, options: LoadTestOptions): Promise<string[]> {
  const { seed, parallel, say = () => {} } = options;
  const buyers = createBuyers(seed, options.buyers);
  const shops: Shops = {
    sandboxUrl: shop.sandboxUrl,
    node: () => shop.url,
    control: shop.sandbox.control,
  };
  await addAddresses(shop);
  await sellInYen(shop.db);
  for (const { email, behaviour } of buyers) if (behaviour === 'leaves') await options.signUp(email);

  await enableFaults(shop.sandbox, seed, options.patient ?? false);
  const time = startClock(shop);
  await inParallel(parallel, buyers, buyer => buy(shops, buyer));
  await time.stop();
  const { struck, calm } = await countFaults(shop.sandbox);
  say(`faults: ${JSON.stringify(struck)}`);
  await shop.sandbox.calm();

  await settle(shop, [MINUTE_MS]);
  const banks = createPrng(`${seed}:banks`);
  await settlePending(shop.sandbox.control, () => banks.chance(0.3));
  await settle(shop, [MINUTE_MS]);
  const unpayable: string[] = [];
  const allReturn = (isLast: boolean) =>
    inParallel(parallel, buyers.filter(mustBeServed), async buyer => {
      if (isPaid(buyer)) return;
      const back = await returnAndPay(shops, buyer);
      if (back && (isLast || back.refused))
        unpayable.push(`${buyer.email} (${buyer.behaviour}) cannot pay: ${back.why}`);
    });
  await allReturn(false);
  // A payment that was in progress can be paid a minute later.
  await settle(shop, [MINUTE_MS]);
  await allReturn(true);
  await settle(shop, [MINUTE_MS, 5 * MINUTE_MS, 2 * HOUR_MS]);
  await payLate(shop, shops, buyers);
  await settle(shop, [MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS, DAY_MS]);
  say(`orders: ${JSON.stringify(await orders(shop))}`);
  // Resolves alerts of scheduled tasks that failed earlier on a busy machine.
  await shop.runTasks();
  const remains = { ...shop, control: shop.sandbox.control, settings: shop.sandbox.settings, buyers };
  return [
    ...calm,
    ...unpayable,
    ...(await findViolations(remains)),
    ...(await changedByRedelivery(shop, seed)),
  ];
}

/** Adds addresses for all buyers to the only host. */
async function addAddresses({ db }: TestShop): Promise<void> {
  await sql`insert into address_pool (id, prefix, provider_id, region_id, vendor_id, host_id)
    select '198.18.0.0/21', '198.18.0.0/21', provider_id, region_id, vendor_id, id from host`.execute(db);
  await sql`insert into static_ip (address, pool_id, bind_address)
    select ip, '198.18.0.0/21', ip from (select '198.18.0.0'::inet + n as ip from generate_series(1, 1500) n) ips`.execute(
    db,
  );
}

/** Adds prices in a third currency, one without a minor unit. */
export async function sellInYen(db: Db): Promise<void> {
  await sql`insert into plan_price
    select plan_id, 'JPY', cycle_count, price * 3 / 2 * 100, renewal * 3 / 2 * 100
    from plan_price where currency = 'USD' on conflict do nothing`.execute(db);
}

/** Advances the clock by a minute per second and runs the scheduled tasks four times in it. */
function startClock(shop: TestShop) {
  let over = false;
  const passing = (async () => {
    while (!over) {
      shop.clock.advance(15 * SECOND_MS);
      // The next round repeats what failed.
      await shop.runTasks().catch(() => undefined);
      await new Promise(done => setTimeout(done, 250));
    }
  })();
  return {
    stop() {
      over = true;
      return passing;
    },
  };
}

/** Advances time in steps. After each step everything due runs, also retries of failed jobs. */
async function settle(shop: TestShop, steps: readonly number[]): Promise<void> {
  for (const ms of steps) {
    shop.clock.advance(ms);
    await shop.sandbox.catchUp();
    await shop.runTasks();
    await untilJobsDone(shop.db);
    // The jobs cause webhooks and payments that wait for a third party.
    await settlePending(shop.sandbox.control);
    await shop.sandbox.catchUp();
    await untilJobsDone(shop.db);
  }
}

/** How often waiting retries are made due; some of them depend on the shop's clock. */
const RETRY_ROUNDS = 3;

/**
 * Waits until no job is running or due. The queue uses the database's time, so retries that wait there are made due.
 */
export async function untilJobsDone(db: Db): Promise<void> {
  await untilNoJobDue(db);
  for (let round = 0; round < RETRY_ROUNDS; round += 1) {
    const { numAffectedRows } =
      await sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(
        db,
      );
    if (!numAffectedRows) return;
    await untilNoJobDue(db);
  }
}

async function untilNoJobDue(db: Db): Promise<void> {
  let open: string[] = [];
  const noJobDue = async () => {
    // Workers are notified of new jobs but not of jobs that become due. Jobs of pg-boss's own schedules, and those of a dead
    // node, stay for a quarter of an hour; they are ignored.
    const { rows } = await sql<{ name: string }>`
      with open as (
        select name from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now()
          and name not like '\\_\\_pgboss%'
        union all select 'job request' from job_request
      )
      select name, pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from open group by name`.execute(
      db,
    );
    open = rows.map(({ name }) => name);
    return open.length === 0;
  };
  await until(noJobDue, 'all jobs are done', 300_000).catch((error: Error) => {
    throw new Error(`${error.message}, left are ${open.join(', ')}`);
  });
}

/** Pays at the end of the orders' time, while the shop closes the payments. */
async function payLate(shop: TestShop, shops: Shops, buyers: readonly Buyer[]): Promise<void> {
  const late = buyers.filter(({ behaviour }) => behaviour === 'late');
  shop.clock.advance(DAY_MS - 2.5 * HOUR_MS);
  for (const buyer of late) await resubmitOrder(shops, buyer);
  shop.clock.advance(HOUR_MS / 2);
  await Promise.all([shop.runTasks(), ...late.map(buyer => payOpenPayment(shops, buyer, 'refunded'))]);
}

/** X32: redelivers every webhook twice in another order. @returns the rows that this changed */
async function changedByRedelivery(shop: TestShop, seed: string): Promise<string[]> {
  const before = await allRows(shop);
  const { redelivered } = await shop.sandbox.control<{ redelivered: number }>('redeliver', {
    times: 2,
    shuffle: seed,
  });
  if (redelivered === 0) return ['X32 nothing was repeated'];
  await shop.sandbox.catchUp();
  await untilJobsDone(shop.db);
  const after = await allRows(shop);
  const changed = [...after].filter(row => !before.has(row));
  return changed.slice(0, 5).map(row => `X32 repeated webhooks changed ${row}`);
}

const TABLES = ['attempt', 'refund', 'invoice', 'ledger_entry', 'shop_order', 'subscription', 'open_alert'];

/** All rows without `times` and `last_seen` of alerts, which scheduled tasks update every minute. */
async function allRows({ db }: TestShop): Promise<Set<string>> {
  const all = TABLES.map(async table => {
    const { rows } = await sql<{ text: string }>`
      select (to_jsonb(row) - 'times' - 'last_seen')::text as text from ${sql.table(table)} row`.execute(db);
    return rows.map(({ text }) => `${table} ${text}`);
  });
  return new Set((await Promise.all(all)).flat());
}

async function orders({ db }: TestShop): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('shop_order')
    .select(['status', sql<number>`count(*)::int`.as('n')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

/** Runs `work` on a list in its order, with up to `parallel` items at a time. */
export async function inParallel<T>(
  parallel: number,
  list: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...list];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
