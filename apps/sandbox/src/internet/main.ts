import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { readRegionEnv } from './env.ts';
import { ADDRESSES } from './namespaces.ts';
import { startRegion, whyNot } from './region.ts';

/** Leftovers after this time stay in the kernel, and on a busy machine each step is slow. */
const STOP_MS = 60_000;

/** The demo region as a process. Prints one JSON line; the agent's lines go to standard error. */
const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);

const reason = await whyNot();
if (reason) {
  say({ ready: false, reason });
  process.disconnect?.();
} else {
  // A stop during the start waits for it: a half-built region cannot be removed.
  const starting = startRegion({
    ...readRegionEnv(),
    onAgentLine: line => process.stderr.write(`${line}\n`),
  });
  exitWithParent(async () => (await starting).stop(), STOP_MS);
  const { id, internet, pool } = await starting;
  say({ ready: true, id, internet, customers: ADDRESSES.customerNetwork, pool });
}
