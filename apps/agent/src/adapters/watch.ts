import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TUNNEL_PREFIX } from '../layout.ts';
import { TABLE } from './nat/chains.ts';
import { defaultRouteDevice } from './netdev/netdev.ts';
import { CHILD_ENV } from './run.ts';

/** A failed monitor is harmless: the next reconciliation is at most ten seconds away. */
const [FIREWALL_PAUSE_MS, PAUSE_MS] = [1000, 10_000];

/**
 * Calls back for each matching line of a program, and whenever the program has ended, since changes
 * may have been missed.
 */
async function listen(
  command: readonly string[],
  pattern: RegExp,
  changed: () => void,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<void> {
  // The program must not outlive a killed agent.
  const program = ['setpriv', '--pdeathsig', 'KILL', ...command];
  while (!signal.aborted) {
    const child = spawn(program[0]!, program.slice(1), {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: CHILD_ENV,
      signal,
    });
    const ended = new Promise(resolve => child.once('error', resolve).once('exit', resolve));
    createInterface({ input: child.stdout }).on('line', line => {
      if (pattern.test(line)) changed();
    });
    await ended;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    changed();
  }
}

/** Lines of `nft monitor` about our chains and rules, or about an overflow. */
const OF_FIREWALL = new RegExp(`^(\\w+ (table|chain|rule) ${TABLE}\\b|# ERROR)`);

/**
 * Calls back on every change of the firewall's chains or rules, also by this agent, until the
 * signal. Only a trigger: events can be lost, so the reader compares the rules.
 */
export const watchFirewall = (changed: () => void, signal: AbortSignal): Promise<void> =>
  listen(['nft', 'monitor'], OF_FIREWALL, changed, signal, FIREWALL_PAUSE_MS);

/**
 * Lines of `ip monitor` about removed addresses, rules and devices, devices set down, and changed
 * sysctls.
 */
const OF_NETWORK = new RegExp(
  `^\\[(ADDR|RULE|LINK)\\]Deleted |^\\[NETCONF\\]inet6? all |^\\[LINK\\]\\d+: ${TUNNEL_PREFIX}\\d+: <(?!.*\\bUP\\b)`,
);
/** The same for `tc monitor`. */
const OF_RATES = /^deleted (class|qdisc) htb /;
/** Neither routes nor neighbours, which name customers. */
const NETWORK = ['ip', 'monitor', 'label', 'link', 'address', 'rule', 'netconf'];

/**
 * Calls back when something vanishes that only the agent may remove, until the signal. Additions
 * and changes wait for the next reconciliation: most are the agent's own.
 */
export async function watchKernel(gone: () => void, signal: AbortSignal): Promise<void> {
  await Promise.all([
    listen(NETWORK, OF_NETWORK, gone, signal),
    listen(['tc', 'monitor'], OF_RATES, gone, signal),
  ]);
}

/**
 * Calls back once when the default route has used another card in two consecutive checks, until the
 * signal. A host without a default route waits for it.
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
