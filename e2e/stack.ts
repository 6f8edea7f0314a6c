import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../scripts/build.ts';
import { startStack } from '../scripts/stack/stack.ts';
import { announceStack } from './env.ts';
import { NEW_PASSWORD, PASSWORD, WRONG_PASSWORD } from './screens/account.ts';
import { stopAndSearch } from './searched-stop.ts';

/** One real stack for all journeys: database, sandbox providers, API, and a VPN host to sell addresses of. */
// biome-ignore lint/style/noDefaultExport: Playwright takes its set-up from the default export
export default async function start(): Promise<() => Promise<void>> {
  await buildWeb(() => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-e2e-'));
  const stack = await startStack({
    dataDir,
    region: true,
    durable: false,
    // All that the shop can log is searched in the end.
    env: { SEED: 'demo', LIMITS_SCALE: '1000', HUMAN_CHECK_COST: '100', LOG_LEVEL: 'debug' },
  });
  if ('obstacle' in stack.region || !stack.sandbox) {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
    const reason = 'obstacle' in stack.region ? stack.region.obstacle : 'real providers are set';
    throw new Error(`The journeys need the demo region and the sandbox: ${reason}`);
  }
  announceStack({
    url: stack.publicUrl,
    sandboxUrl: stack.sandbox.url,
    controlToken: stack.sandbox.token,
    regionId: stack.region.id,
  });
  return () => stopAndSearch(stack, dataDir, [PASSWORD, NEW_PASSWORD, WRONG_PASSWORD]);
}
