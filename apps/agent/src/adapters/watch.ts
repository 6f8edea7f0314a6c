import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TUNNEL_PREFIX } from '../layout.ts';
import { TABLE } from './nat/chains.ts';
import { defaultRouteDevice } from './netdev/netdev.ts';
import { CHILD_ENV } from './run.ts';

/** One that cannot listen to the rest does no harm: all is looked at every ten seconds. */
const [FIREWALL_PAUSE_MS, PAUSE_MS] = [1000, 10_000];

/** Calls for each line that a program says and that fits, and whenever it has ended: nobody has listened meanwhile. */
async function listen(
  command: readonly string[],
  telling: RegExp,
  changed: () => void,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<void> {
  // It must not outlive an agent that is killed.
  const program = ['setpriv', '--pdeathsig', 'KILL', ...command];
  while (!signal.aborted) {
    const child = spawn(program[0]!, program.slice(1), {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: CHILD_ENV,
      signal,
    });
    const ended = new Promise(resolve => child.once('error', resolve).once('exit', resolve));
    createInterface({ input: child.stdout }).on('line', line => {
      if (telling.test(line)) changed();
    });
    await ended;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    changed();
  }
}

/** What `nft monitor` says of our chains and rules, or that the kernel told more than it could read. */
const OF_FIREWALL = new RegExp(`^(\\w+ (table|chain|rule) ${TABLE}\\b|# ERROR)`);

/**
 * Calls whenever somebody changes chains or rules of the firewall, also this agent, until the signal. What has changed
 * is for the reader to find out: news of it can be lost, the rules themselves cannot lie.
 */
export const watchFirewall = (changed: () => void, signal: AbortSignal): Promise<void> =>
  listen(['nft', 'monitor'], OF_FIREWALL, changed, signal, FIREWALL_PAUSE_MS);

/** What `ip monitor` says of what goes away: addresses, rules, devices, also those that are turned off; and of settings. */
const OF_NETWORK = new RegExp(
  `^\\[(ADDR|RULE|LINK)\\]Deleted |^\\[NETCONF\\]inet6? all |^\\[LINK\\]\\d+: ${TUNNEL_PREFIX}\\d+: <(?!.*\\bUP\\b)`,
);
/** The same of `tc monitor`. */
const OF_RATES = /^deleted (class|qdisc) htb /;
/** No routes and no neighbours: these name customers. */
const NETWORK = ['ip', 'monitor', 'label', 'link', 'address', 'rule', 'netconf'];

/**
 * Calls when a part of the kernel goes that only the agent should take away, until the signal. What comes to it, and what is
 * only changed, waits for the next look: most of that is the agent's own work.
 */
export async function watchKernel(gone: () => void, signal: AbortSignal): Promise<void> {
  await Promise.all([
    listen(NETWORK, OF_NETWORK, gone, signal),
    listen(['tc', 'monitor'], OF_RATES, gone, signal),
  ]);
}

/**
 * Calls once when the host's way out has led by another card than this one for two looks, until the signal. A host without
 * any waits for it to come back.
 */
export async function watchCard(
  card: string,
  moved: (to: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let before = card; !signal.aborted; ) {
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    const now = defaultRouteDevice() ?? card;
    if (now !== card && now === before) return moved(now);
    before = now;
  }
}
