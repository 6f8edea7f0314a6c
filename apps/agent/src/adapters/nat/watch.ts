import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENV } from '../run.ts';
import { TABLE } from './chains.ts';

/** What `nft monitor` says of our chains and rules, or that the kernel told more than it could read. */
const TELLING = new RegExp(`^(\\w+ (table|chain|rule) ${TABLE}\\b|# ERROR)`);
const PAUSE_MS = 1000;
/** It must not outlive an agent that is killed. */
const MONITOR = ['setpriv', '--pdeathsig', 'KILL', 'nft', 'monitor'];

/**
 * Calls whenever somebody changes chains or rules of the firewall, also this agent, until the signal. What has changed
 * is for the reader to find out: news of it can be lost, the rules themselves cannot lie.
 */
export async function watchFirewall(changed: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const child = spawn(MONITOR[0]!, MONITOR.slice(1), {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: CHILD_ENV,
      signal,
    });
    const ended = new Promise(resolve => child.once('error', resolve).once('exit', resolve));
    createInterface({ input: child.stdout }).on('line', line => {
      if (TELLING.test(line)) changed();
    });
    await ended;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    // Nobody has listened meanwhile.
    changed();
  }
}
