import { type JobRunner, startJobs } from '@fixpoint/api/adapters/jobs/runner.ts';
import { liveBus } from '@fixpoint/api/adapters/postgres-bus.ts';
import { openDatabase, openShopDatabase } from '@fixpoint/api/database/database.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { createLogger } from '@fixpoint/api/log/logger.ts';
import { seedDemoCatalog } from '@fixpoint/api/modules/catalog/index.ts';
import { assignHost } from '@fixpoint/api/modules/provisioning/index.ts';
import { addPool } from '@fixpoint/api/modules/provisioning/pools.ts';
import { recordReport } from '@fixpoint/api/modules/provisioning/reports.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import type { Jobs } from '@fixpoint/api/ports/jobs.ts';
import { createDatabase } from '@fixpoint/testkit/database.ts';
import { manualClock } from '@fixpoint/testkit/shop.ts';

const PLACE = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
const SERVER = {
  serverCertificate: 'certificate',
  serverKeySealed: Buffer.from('key'),
  serverNotAfter: new Date('2100-01-01T00:00:00Z'),
};

/**
 * A migrated database with the demo catalogue and without hosts. Hosts, addresses and subscriptions are inserted as rows;
 * no agent runs.
 * @example const hosts = await givenHosts();
 * await hosts.host('bkk-1', '203.0.113.0/24');
 * const { id } = await hosts.placed();
 */
export async function givenHosts() {
  const database = await createDatabase();
  const { db, close } = openShopDatabase(database.urls);
  const all = openDatabase(database.url, 4);
  const clock = manualClock(new Date('2026-11-20T05:00:00Z'));
  // The first job starts the queue, because that takes a second and most tests enqueue nothing.
  let started: Promise<JobRunner> | undefined;
  const runner = () => {
    started ??= startJobs(database.urls.app, createLogger('silent'));
    return started;
  };
  const jobs: Jobs = {
    enqueue: async (...job) => (await runner()).enqueue(...job),
    enqueueAll: async (...all) => (await runner()).enqueueAll(...all),
  };
  const deps = { db, clock, systemClock: clock, live: liveBus, jobs };
  await asApplication(() => seedDemoCatalog(db));
  let count = 0;
  const opened = {
    ...deps,
    /** Reads and writes every table, as the superuser. */
    all: all.db,
    databaseUrl: database.url,
    databaseUrls: database.urls,
    /** `await hosts.host('bkk-1', '203.0.113.0/24')` adds an active host at the demo place, with its address pools. */
    async host(id: string, ...prefixes: string[]) {
      await all.db
        .insertInto('host')
        .values({
          id,
          provider_id: PLACE.providerId,
          region_id: PLACE.regionId,
          vendor_id: PLACE.vendorId,
          status: 'active',
          dns: ['9.9.9.9'],
          seen_at: clock.now(),
        })
        .execute();
      for (const prefix of prefixes)
        await addPool(liveBus, all.db, {
          ...PLACE,
          prefix,
          bind: prefix,
          hostId: id,
          port: 1194,
          routing: 'static',
        });
    },
    /** `await hosts.pass(60_000)` advances the clock by a minute while every host keeps reporting. */
    async pass(ms: number) {
      clock.advance(ms);
      await all.db.updateTable('host').set({ seen_at: clock.now() }).execute();
    },
    /** `await hosts.subscription()` adds a customer with a paid subscription that no host serves yet. */
    async subscription() {
      count += 1;
      const [id, customerId, orderId] = [`sub_${count}`, `cus_${count}`, `ord_${count}`];
      const at = clock.now();
      await all.db
        .insertInto('customer')
        .values({ id: customerId, email: `c${count}@example.com`, language: 'en', created_at: at })
        .execute();
      await all.db
        .insertInto('shop_order')
        .values({
          id: orderId,
          token_hash: Buffer.from(orderId),
          check_hash: Buffer.from(orderId),
          status: 'fulfilled',
          category: 'vpn',
          product_id: 'solo-1m-demo-th-bkk-fixpoint',
          entitlements: { devices: 2, dataTransferGb: 100, rateMbit: 50, portForward: false },
          currency: 'THB',
          price: 199_00,
          net: 185_98,
          vat: 13_02,
          vat_rate_bp: 700,
          renewal: 199_00,
          first_year: true,
          customer_id: customerId,
          email: `c${count}@example.com`,
          language: 'en',
          terms_version: '1',
          payment_method: 'card',
          created_at: at,
          expires_at: at,
        })
        .execute();
      await all.db
        .insertInto('subscription')
        .values({
          id,
          customer_id: customerId,
          order_id: orderId,
          product_id: 'solo-1m-demo-th-bkk-fixpoint',
          status: 'provisioning',
          devices: 2,
          data_transfer_gb: 100,
          rate_mbit: 50,
          currency: 'THB',
          renewal: 199_00,
          vat_rate_bp: 700,
          cycle_count: 1,
          created_at: at,
        })
        .execute();
      await all.db
        .insertInto('subscription_identity')
        .values({
          subscription_id: id,
          customer_id: customerId,
          server_name: `sub-${count}`,
          ca: `ca of ${id}`,
          ca_key_sealed: Buffer.from('key'),
          tls_crypt_sealed: Buffer.from('key'),
        })
        .execute();
      return { id, customerId };
    },
    /** Assigns a host to a subscription. @returns whether one had room */
    place: (tx: Db, { id, customerId }: { id: string; customerId: string }) =>
      assignHost(deps, tx, { id, customerId, ...PLACE }, SERVER),
    /** Runs `work` as the application's role in one transaction. */
    inTransaction: <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
      asApplication(() => db.transaction().execute(work)),
    /** `await hosts.report('bkk-1', { revision: 2 })` records a report of a host; absent fields have defaults. */
    report: (hostId: string, fields: Partial<Parameters<typeof recordReport>[2]>, through: Db = db) =>
      asApplication(() =>
        recordReport({ ...deps, db: through, publish: async () => undefined }, hostId, {
          revision: 1,
          agentVersion: 'test',
          openvpnVersion: 'none',
          subscriptions: [],
          drift: [],
          epoch: 'test',
          usage: [],
          ...fields,
        }),
      ),
    async stop() {
      await (await started)?.stop();
      await close();
      await all.close();
      await database.drop();
    },
    /** `await hosts.placed()` adds a customer with a paid subscription on a host. @throws when no host has room */
    async placed() {
      const subscription = await opened.subscription();
      if (!(await opened.inTransaction(tx => opened.place(tx, subscription))))
        throw new Error('no host is free');
      return subscription;
    },
    /** The hosts of a subscription with the status of each assignment, in the order of their ids. */
    assignmentsOf: (subscriptionId: string) =>
      all.db
        .selectFrom('assignment')
        .select(['host_id', 'status'])
        .where('subscription_id', '=', subscriptionId)
        .orderBy('host_id')
        .execute(),
    /** The static IP of a subscription; undefined without one. */
    async addressOf(subscriptionId: string) {
      const row = all.db
        .selectFrom('static_ip')
        .select('address')
        .where('subscription_id', '=', subscriptionId);
      return (await row.executeTakeFirst())?.address;
    },
  };
  return opened;
}
export type GivenHosts = Awaited<ReturnType<typeof givenHosts>>;
