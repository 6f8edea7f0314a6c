import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FailPoint } from '@fixpoint/api/kernel/failpoints.ts';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import pg from 'pg';
import Stripe from 'stripe';
import { startHostWithoutTunnels } from '../host-without-tunnels.ts';
import { stopAndSearch } from '../searched-stop.ts';

/**
 * A stack whose API dies where a test wants it. The test starts it again itself: the stack would wait longer after each of
 * so many deaths.
 */
export async function startKillableStack() {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
  const failpointFile = join(folder, 'failpoint');
  const stack = await startStack({
    dataDir: folder,
    keepAlive: false,
    env: { NODE_ENV: 'test', FAILPOINT_FILE: failpointFile, LIMITS_SCALE: '1000', LOG_LEVEL: 'debug' },
  });
  const { url, token } = stack.sandbox!;
  const database = new pg.Client(stack.databaseUrls.owner);
  await database.connect();
  const keys = JSON.parse(await readFile(join(folder, 'sandbox/keys.json'), 'utf8')) as Record<
    string,
    string
  >;
  const secret = Object.values(keys).find(value => value.startsWith('sk_test_'))!;
  const { hostname, port } = new URL(url);
  const armed = () =>
    readFile(failpointFile, 'utf8').then(
      () => true,
      () => false,
    );
  return {
    /** A host that its subscriptions run on. */
    startHost: () => startHostWithoutTunnels(stack, folder),
    place: { url: stack.url, sandboxUrl: url },
    controlToken: token,
    database,
    stripe: new Stripe(secret, { host: hostname, port, protocol: 'http' }),
    arm: (point: FailPoint) => writeFile(failpointFile, point),
    /** The point was reached and the process died there; starts it again. */
    async killedAndStartedAgain(point: FailPoint): Promise<void> {
      await until(async () => !(await armed()), `the end at ${point}`, 60_000);
      await stack.api.restart();
    },
    async stop(): Promise<void> {
      await database.end();
      await stopAndSearch(stack, folder);
    },
  };
}
