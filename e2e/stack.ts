import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { regionObstacle } from '@fixpoint/dev-stack/region.ts';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { setTestStack } from './env.ts';
import { startHostWithoutTunnels } from './host-without-tunnels.ts';
import { NEW_PASSWORD, PASSWORD, WRONG_PASSWORD } from './screens/account.ts';
import { stopAndSearch } from './searched-stop.ts';

/**
 * Starts one real stack for all journeys: database, sandbox, API, and a VPN host with addresses to sell, in the demo region
 * or as a fake host where that cannot run.
 */
// biome-ignore lint/style/noDefaultExport: Playwright takes its set-up from the default export
export default async function start(): Promise<() => Promise<void>> {
  await buildWeb(() => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-e2e-'));
  const stack = await startStack({
    dataDir,
    region: true,
    durable: false,
    // Journeys set their own client address. Everything that the shop can log is searched at the end.
    env: {
      TRUST_PROXY: '127.0.0.1',
      SEED: 'demo',
      LIMITS_SCALE: '1000',
      // Two browsers share the two cores.
      MAX_EVENT_LOOP_DELAY: '60000',
      HUMAN_CHECK_COST: '100',
      LOG_LEVEL: 'debug',
    },
  });
  const { region } = stack;
  const noRegion = regionObstacle(root, 'sudo npm test');
  if ('obstacle' in region && !noRegion) {
    await stack.stop();
    throw new Error(`The demo region does not start: ${region.obstacle} (logs: ${dataDir}/logs)`);
  }
  const host = noRegion ? await startHostWithoutTunnels(stack, dataDir) : undefined;
  setTestStack({
    url: stack.publicUrl,
    sandboxUrl: stack.sandbox!.url,
    controlToken: stack.sandbox!.token,
    ...('obstacle' in region ? { noRegion } : { regionId: region.id }),
  });
  return async () => {
    await host?.stop();
    await stopAndSearch(stack, dataDir, [PASSWORD, NEW_PASSWORD, WRONG_PASSWORD]);
  };
}
