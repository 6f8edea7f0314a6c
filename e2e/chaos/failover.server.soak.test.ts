import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPrograms } from '@fixpoint/api/adapters/backup/programs.ts';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { booksOf, openProviders } from '@fixpoint/api/compose/providers.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { readProviderEnv } from '@fixpoint/api/env/env.ts';
import { checkDatabase, compareGateway } from '@fixpoint/api/modules/books/index.ts';
import { sandboxOf } from '@fixpoint/dev-stack/environment.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { database } from '@fixpoint/postgres/address.ts';
import { newPasswords, prepareDatabase } from '@fixpoint/postgres/prepare.ts';
import { databaseSettings, urlsFor } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHostWithoutTunnels } from '../host-without-tunnels.ts';
import { stopAndSearch } from '../searched-stop.ts';
import { startForwarder } from './forwarder.ts';
import { startBuyers } from './patient-buyer.ts';
import { adminUrl, startReplicatedPostgres } from './replicated-postgres.ts';

/** The shop on a PostgreSQL of Debian whose primary dies and whose standby takes over (docs/operate/scaling.md). */
const [installed] = await findPrograms('postgres');
if (!installed) process.stderr.write('Failover is not tried. To try it: apt-get install postgresql\n');

/** Promised from the end of the primary to the next sale, on an idle machine. */
const MOST_MS = 30_000;
/** What a manager of failover, or a person, needs to be sure that the primary is gone. */
const NOTICED_MS = 3_000;

describe.skipIf(!installed)('a primary and its synchronous standby', () => {
  let folder: string;
  let postgres: Awaited<ReturnType<typeof startReplicatedPostgres>>;
  let balancer: Awaited<ReturnType<typeof startForwarder>>;
  let stack: Stack;
  let host: FakeHost;
  let primary: number | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixpoint-failover-'));
    postgres = await startReplicatedPostgres(dirname(installed!.path));
    primary = postgres.primary.port;
    balancer = await startForwarder(() => primary);
    const passwords = newPasswords();
    await prepareDatabase(adminUrl(primary, 'postgres'), database, passwords);
    const urls = urlsFor(`postgresql://127.0.0.1:${balancer.port}/${database}`, passwords);
    stack = await startStack({
      dataDir: folder,
      keepAlive: false,
      env: { ...databaseSettings(urls), LIMITS_SCALE: '100000', LOG_LEVEL: 'debug' },
    });
    host = await startHostWithoutTunnels(stack, folder);
  }, 300_000);
  afterAll(async () => {
    await host?.stop();
    if (stack) await stopAndSearch(stack, folder);
    await balancer?.stop();
    await postgres?.stop();
  });

  test('the shop sells again within 30 seconds, and nothing that was acknowledged is lost', {
    timeout: 300_000,
  }, async () => {
    const node = stack.api.pid!;
    const { bought, stop } = startBuyers(stack.url, 4);
    await until(async () => bought.length >= 12, 'a dozen purchases');

    const killed = performance.now();
    await postgres.killPrimary();
    primary = undefined;
    const before = bought.length;
    await delay(NOTICED_MS);
    await postgres.promote();
    primary = postgres.standby.port;
    const [next] = await until(async () => {
      const since = bought.filter(({ at }) => at > killed);
      return since.length >= 12 && since;
    }, 'a dozen purchases after that');
    await stop();
    const seconds = (next!.at - killed) / 1000;
    process.stdout.write(
      `failover: noticed after ${NOTICED_MS / 1000} s, sold again ${seconds.toFixed(1)} s after the end of the primary; ` +
        `purchases: ${before} before, ${bought.length - before} after; calls repeated: ${bought.reduce((sum, { repeats }) => sum + repeats, 0)}\n`,
    );
    expect(seconds * 1000).toBeLessThan(MOST_MS * slowness());
    expect(() => process.kill(node, 0)).not.toThrow();

    // Every acknowledged purchase is in the database of the new primary, and becomes a tunnel.
    const { order } = createClient(stack.url);
    for (const { email, metadata } of bought)
      await until(async () => {
        const { data } = await order.purchaseData({ body: { metadata } });
        return data?.subscription?.status === 'active';
      }, `the tunnel of ${email}`);
    const { db, close } = openDatabase(adminUrl(postgres.standby.port, database), 2);
    try {
      const differences = await checkDatabase(db, systemClock.now());
      const providers = await openProviders(readProviderEnv((await sandboxOf(folder))!)!, systemClock);
      for (const books of booksOf(providers))
        differences.push(...(await compareGateway(db, books, systemClock.now())).found);
      expect(differences).toEqual([]);
    } finally {
      await close();
    }
  });
});
