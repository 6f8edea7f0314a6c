import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMasterKey } from '@fixpoint/api/adapters/master-key/ring.ts';
import { liveBus } from '@fixpoint/api/adapters/postgres-bus.ts';
import { mailerBy } from '@fixpoint/api/adapters/smtp-mailer.ts';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import { type Adapters, adapters } from '@fixpoint/api/compose/adapters.ts';
import { startShop } from '@fixpoint/api/compose/shop.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { readEnv } from '@fixpoint/api/env/env.ts';
import { createLogger } from '@fixpoint/api/log/logger.ts';
import { addHost, readHostSettings } from '@fixpoint/api/modules/provisioning/index.ts';
import type { Clock } from '@fixpoint/api/ports/clock.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { type DatabaseUrls, databaseSettings } from '@fixpoint/postgres/roles.ts';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { beginOrder, logInByEmail, type Place, until } from './buyer.ts';
import { createClient, type TestClient } from './client.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { type FakeHost, startFakeHost } from './fake-host.ts';
import { startInlineJobs } from './jobs-inline.ts';
import { refuseFindings, searchDatabase, searchLog, secretsOf } from './leaks/search.ts';
import { startTestSandbox, type TestSandbox } from './sandbox.ts';

const MINUTE_MS = 60_000;

/** A clock that stands still until a test advances it. */
export type ManualClock = Clock & { advance(ms: number): void };
export function manualClock(start = new Date()): ManualClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: ms => {
      now += ms;
    },
  };
}

type Where = { providerId: string; regionId: string; vendorId: string };

/** The whole shop in this process, on a database and sandbox of its own, with a fake VPN host in Bangkok. */
export type TestShop = Place & {
  client: TestClient;
  db: Db;
  /** Address with the superuser's rights, like `db`, to look at everything. */
  databaseUrl: string;
  /** Addresses with the shop's own roles. */
  databaseUrls: DatabaseUrls;
  clock: ManualClock;
  host: FakeHost;
  hostToken: string;
  /** Adds a fake host at another place that sells. @param pool its addresses */
  addHost(id: string, place: Where, pool: string): Promise<FakeHost>;
  /** Runs the scheduled tasks of a minute and waits for all jobs that follow. */
  sweep(): Promise<void>;
  /** Runs the scheduled tasks of a minute without waiting for jobs. */
  runTasks(): Promise<void>;
  agentSocket: string;
  stripe: Stripe;
  sandbox: TestSandbox;
  /** Creates a logged-in customer with an active subscription. */
  customer(
    name: string,
    planId?: string,
  ): Promise<{ client: TestClient; token: string; email: string; subscriptionId: string }>;
  /** Stops the shop. @throws when its log or its database holds a secret or a person's address (S27, S82) */
  stop(): Promise<void>;
};

/**
 * Collects every log line in `lines`, and passes those of `level` and above to `show`.
 * @param level as in LOG_LEVEL
 */
function captureLog(level: string, lines: string[], show: (line: string) => void) {
  const least = createLogger(level).levelVal;
  return createLogger('debug', {
    write(line) {
      lines.push(line);
      if ((JSON.parse(line) as { level: number }).level >= least) show(line);
    },
  });
}

/** Waits until no job is due; jobs that wait for a retry do not count. */
const untilIdle = (db: Db) =>
  until(
    async () => {
      const { rows } =
        await sql`select from pgboss.job where start_after <= now() and state in ('created', 'retry', 'active')
      union all select from job_request limit 1`.execute(db);
      return rows.length === 0;
    },
    'all jobs are done',
    200_000,
  );

/** Real adapters that a test asks for, because it is about them or reads their output. */
export type Real = 'jobs' | 'mailer' | 'renderer';

/** Jobs without pg-boss, emails without SMTP, documents without Typst: cheap, and no test's subject. */
function cheapAdapters(sandbox: TestSandbox, real: readonly Real[]): Adapters {
  const cheap: Adapters = {
    startJobs: startInlineJobs,
    createMailer: (_url, from, replyTo) =>
      mailerBy({ streamTransport: true, buffer: true } as never, { from, replyTo }, ({ message }) =>
        sandbox.receiveMail(message!),
      ),
    createDocumentRenderer: () => ({
      isAvailable: true,
      render: async () => Buffer.from('%PDF-1.7 of a test'),
    }),
  };
  return {
    startJobs: real.includes('jobs') ? adapters.startJobs : cheap.startJobs,
    createMailer: real.includes('mailer') ? adapters.createMailer : cheap.createMailer,
    createDocumentRenderer: real.includes('renderer')
      ? adapters.createDocumentRenderer
      : cheap.createDocumentRenderer,
  };
}

/**
 * @param logLine gets the lines of the shop's log instead of standard output
 * @param given a database that the caller drops; without it the shop creates and drops its own
 * @param real adapters that are not replaced by cheap ones
 */
export async function startTestShop(
  env: Record<string, string> = {},
  logLine?: (line: string) => void,
  given?: Pick<TestDatabase, 'url' | 'urls'>,
  real: readonly Real[] = [],
): Promise<TestShop> {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-shop-'));
  const own = given ? undefined : await createDatabase();
  const database = given ?? own!;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clock = manualClock();
  const sandbox = await startTestSandbox({ shopUrl: url, clock });
  const agentSocket = join(folder, 'agent.sock');
  const settings = readEnv({
    PORT: String(port),
    PUBLIC_URL: url,
    ...databaseSettings(database.urls),
    DATA_DIR: folder,
    WEB_DIR: folder,
    AGENT_SOCKET: agentSocket,
    SEED: 'demo',
    LOG_LEVEL: 'error',
    ...sandbox.settings,
    // All tests share one address; tests of the limits set their own scale.
    LIMITS_SCALE: '1000',
    // The test, its sandbox and seven parallel test files delay the event loop too.
    MAX_EVENT_LOOP_DELAY: '60000',
    HUMAN_CHECK_COST: '1',
    ...env,
  });
  const lines: string[] = [];
  const show = logLine ?? (line => void process.stdout.write(line));
  const shop = await startShop(
    settings,
    captureLog(settings.LOG_LEVEL, lines, show),
    clock,
    cheapAdapters(sandbox, real),
  );
  const { db, close } = openDatabase(database.url, 4);
  const signer = createVaultSigner((await openMasterKey(db, settings.MASTER_KEY_FILE)).vault);
  const hosts: FakeHost[] = [];
  const newHost = async (id: string, place: Where, pool: string) => {
    const settings = readHostSettings(id, { pool });
    const { token } = await addHost({ db, signer, clock, live: liveBus }, place, id, settings);
    const host = await startFakeHost({ socketPath: agentSocket }, token);
    hosts.push(host);
    return { host, token };
  };
  const bangkok = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
  const { host, token: hostToken } = await newHost('bkk-1', bangkok, '203.0.113.0/24');
  /** Hosts report when a minute of the shop's clock has passed. */
  let reported: Promise<unknown> = Promise.resolve();
  let reportedAt = clock.now().getTime();
  const at: Place = { url, sandboxUrl: sandbox.url };
  const client = createClient(url);

  return {
    ...at,
    client,
    db,
    databaseUrl: database.url,
    databaseUrls: database.urls,
    clock: {
      now: clock.now,
      advance(ms) {
        clock.advance(ms);
        if (clock.now().getTime() < reportedAt + MINUTE_MS) return;
        reportedAt = clock.now().getTime();
        reported = Promise.all(hosts.map(one => one.report()));
      },
    },
    host,
    hostToken,
    addHost: async (...given) => (await newHost(...given)).host,
    async sweep() {
      await reported;
      await sandbox.catchUp();
      await shop.sweep();
      await untilIdle(db);
    },
    async runTasks() {
      await reported;
      await shop.sweep();
    },
    agentSocket,
    stripe: new Stripe(sandbox.secretKey, {
      host: '127.0.0.1',
      port: new URL(sandbox.url).port,
      protocol: 'http',
    }),
    sandbox,
    async customer(name, planId) {
      // A host whose report is under way would be silent by the advanced clock, and take nobody.
      await reported;
      const email = `${name}@example.com`;
      const { consent, metadata } = await beginOrder(client, { planId });
      await client.order.purchase({ body: { ...consent, email, language: 'en' } });
      await client.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
      const subscriptionId = await until(async () => {
        const { data } = await client.order.purchaseData({ body: { metadata } });
        return data?.subscription?.status === 'active' && data.subscription.id;
      }, `the subscription of ${name}`);
      return { ...(await logInByEmail(at, email)), email, subscriptionId };
    },
    async stop() {
      await reported;
      for (const one of hosts) await one.stop();
      await shop.close();
      const secrets = await secretsOf(sandbox.url);
      const found = [...searchLog('log', lines, secrets), ...(await searchDatabase(database.url, secrets))];
      await close();
      await sandbox.stop();
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
      refuseFindings(found);
    },
  };
}
