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
 * A stack whose API is killed at a point that the test chooses. The test restarts it itself, because the stack's own pause
 * grows with each death.
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
    /** Starts a fake host for its subscriptions. */
    startHost: () => startHostWithoutTunnels(stack, folder),
    place: { url: stack.url, sandboxUrl: url },
    controlToken: token,
    database,
    stripe: new Stripe(secret, { host: hostname, port, protocol: 'http' }),
    arm: (point: FailPoint) => writeFile(failpointFile, point),
    /** Waits until the process was killed at the point, and restarts it. */
    async waitForKillAndRestart(point: FailPoint): Promise<void> {
      await until(async () => !(await armed()), `the end at ${point}`, 60_000);
      await stack.api.restart();
    },
    async stop(): Promise<void> {
      await database.end();
      await stopAndSearch(stack, folder);
    },
  };
}
