import type { Db } from '@fixpoint/api/ports/database.ts';
import { sql } from 'kysely';
import { until } from '../buyer.ts';
import type { TestShop } from '../shop.ts';
import { askAgain, type Buyer, buy, buyersOf, comeBack, isPaid, payHeld, wantsGoods } from './buyer.ts';
import { letThingsGoWrong, whatStruck } from './faults.ts';
import { settleWaiting } from './pay.ts';
import { createPrng } from './prng.ts';
import type { Shops } from './shops.ts';
import { verdict } from './verdict.ts';

export type LoadTestOptions = {
  buyers: number;
  seed: string;
  /**
   * Buyers at a time. With 1 the same seed makes the same calls in the same order, and draws the same faults for them;
   * webhooks and jobs still run beside them, so that a failure mostly, not always, comes again.
   */
  parallel: number;
  /** Also faults for which somebody waits 10 s. */
  patient?: boolean;
  /** Makes an account that its owner can log in to with the password of all test customers. */
  signUp(email: string): Promise<unknown>;
  /** Told what happens. */
  say?(line: string): void;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Buyers in a load test: everything goes wrong by a seed while they buy, then nothing does, and time passes until all has
 * settled.
 * @returns what is not as it must be; nothing when all is well
 */
export async function storm(shop: TestShop, options: LoadTestOptions): Promise<string[]> {
  const { seed, parallel, say = () => {} } = options;
  const buyers = buyersOf(seed, options.buyers);
  const shops: Shops = {
    sandboxUrl: shop.sandboxUrl,
    node: () => shop.url,
    control: shop.sandbox.control,
  };
  await makeRoom(shop);
  await sellInYen(shop.db);
  for (const { email, manner } of buyers) if (manner === 'leaves') await options.signUp(email);

  await letThingsGoWrong(shop.sandbox, seed, options.patient ?? false);
  const time = passTime(shop);
  await inParallel(parallel, buyers, buyer => buy(shops, buyer));
  await time.stop();
  const { struck, calm } = await whatStruck(shop.sandbox);
  say(`faults: ${JSON.stringify(struck)}`);
  await shop.sandbox.calm();

  await settle(shop, [MINUTE_MS]);
  const banks = createPrng(`${seed}:banks`);
  await settleWaiting(shop.sandbox.control, () => banks.chance(0.3));
  await settle(shop, [MINUTE_MS]);
  const unpayable: string[] = [];
  const allComeBack = (isLast: boolean) =>
    inParallel(parallel, buyers.filter(wantsGoods), async buyer => {
      if (isPaid(buyer)) return;
      const back = await comeBack(shops, buyer);
      if (back && (isLast || back.refused))
        unpayable.push(`${buyer.email} (${buyer.manner}) cannot pay: ${back.why}`);
    });
  await allComeBack(false);
  // Whose payment was in the middle of something pays a minute later.
  await settle(shop, [MINUTE_MS]);
  await allComeBack(true);
  await settle(shop, [MINUTE_MS, 5 * MINUTE_MS, 2 * HOUR_MS]);
  await payLate(shop, shops, buyers);
  await settle(shop, [MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS, DAY_MS]);
  say(`orders: ${JSON.stringify(await orders(shop))}`);
  // A scheduled task that failed meanwhile, on a machine that is busy, is off the list when it has done its work.
  await shop.look();
  const remains = { ...shop, control: shop.sandbox.control, settings: shop.sandbox.settings, buyers };
  return [...calm, ...unpayable, ...(await verdict(remains)), ...(await changedByRepetition(shop, seed))];
}

/** Addresses for all of them, on the host that is there. */
async function makeRoom({ db }: TestShop): Promise<void> {
  await sql`insert into address_pool (id, prefix, provider_id, region_id, vendor_id, host_id)
    select '198.18.0.0/21', '198.18.0.0/21', provider_id, region_id, vendor_id, id from host`.execute(db);
  await sql`insert into static_ip (address, pool_id, bind_address)
    select ip, '198.18.0.0/21', ip from (select '198.18.0.0'::inet + n as ip from generate_series(1, 1500) n) ips`.execute(
    db,
  );
}

/** A third currency, one without a minor unit. */
export async function sellInYen(db: Db): Promise<void> {
  await sql`insert into plan_price
    select plan_id, 'JPY', cycle_count, price * 3 / 2 * 100, renewal * 3 / 2 * 100
    from plan_price where currency = 'USD' on conflict do nothing`.execute(db);
}

/** A minute every second, with what the worker does every minute four times in it. */
function passTime(shop: TestShop) {
  let over = false;
  const passing = (async () => {
    while (!over) {
      shop.clock.advance(15 * SECOND_MS);
      // What went wrong in it is looked at a moment later.
      await shop.look().catch(() => undefined);
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

/** Lets time pass in steps, after each of which everything that is due happens, also jobs that wait after a failure. */
async function settle(shop: TestShop, steps: readonly number[]): Promise<void> {
  for (const ms of steps) {
    shop.clock.advance(ms);
    await shop.sandbox.catchUp();
    await shop.look();
    await drained(shop.db);
    // What those jobs did at the provider comes back by webhooks, and some of it waits for others.
    await settleWaiting(shop.sandbox.control);
    await shop.sandbox.catchUp();
    await drained(shop.db);
  }
}

/** So often what waits after a failure is tried at once; some of it waits for the shop's time. */
const ROUNDS = 3;

/**
 * Resolves when no job is under way or due. The queue goes by the time of the database: what waits there after a failure,
 * also one of meanwhile, is made due.
 */
export async function drained(db: Db): Promise<void> {
  await workedOff(db);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { numAffectedRows } =
      await sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(
        db,
      );
    if (!numAffectedRows) return;
    await workedOff(db);
  }
}

async function workedOff(db: Db): Promise<void> {
  let open: string[] = [];
  const look = async () => {
    // Workers hear of new jobs, not of those that came due. What the queue keeps for its own schedules and a dead node was
    // at stays with it for a quarter of an hour; the schedules go on without.
    const { rows } = await sql<{ name: string }>`
      with open as (
        select name from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now()
          and name not like '\\_\\_pgboss%'
        union all select 'wish' from job_request
      )
      select name, pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from open group by name`.execute(
      db,
    );
    open = rows.map(({ name }) => name);
    return open.length === 0;
  };
  await until(look, 'all jobs are done', 300_000).catch((error: Error) => {
    throw new Error(`${error.message}, left are ${open.join(', ')}`);
  });
}

/** Money that comes at the very end of an order's time, while the shop closes it. */
async function payLate(shop: TestShop, shops: Shops, buyers: readonly Buyer[]): Promise<void> {
  const late = buyers.filter(({ manner }) => manner === 'late');
  shop.clock.advance(DAY_MS - 2.5 * HOUR_MS);
  for (const buyer of late) await askAgain(shops, buyer);
  shop.clock.advance(HOUR_MS / 2);
  await Promise.all([shop.look(), ...late.map(buyer => payHeld(shops, buyer, 'refunded'))]);
}

/** X32: all that the provider ever told, again, doubled and in another order. @returns the rows that it changed */
async function changedByRepetition(shop: TestShop, seed: string): Promise<string[]> {
  const before = await allRows(shop);
  const { redelivered } = await shop.sandbox.control<{ redelivered: number }>('redeliver', {
    times: 2,
    shuffle: seed,
  });
  if (redelivered === 0) return ['X32 nothing was repeated'];
  await shop.sandbox.catchUp();
  await drained(shop.db);
  const after = await allRows(shop);
  const changed = [...after].filter(row => !before.has(row));
  return changed.slice(0, 5).map(row => `X32 repeated webhooks changed ${row}`);
}

const TABLES = ['attempt', 'refund', 'invoice', 'ledger_entry', 'shop_order', 'subscription', 'alert'];

/** How often a matter was seen is left out: the scheduled tasks look every minute, whatever is repeated meanwhile. */
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

/** Works a list off, so many at a time, in its order. */
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
