import { spawn } from 'node:child_process';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import type { Log } from '../../log.ts';
import { CHILD_ENV } from '../run.ts';

/** Timeout in ms, so that a hanging command cannot stop the agent. */
const TIMEOUT_MS = 60_000;

/** Selects connections of both families by firewall mark (`number` or `number/mask`). */
export const byMark = (mark: string | number): string => `--mark ${mark}`;

/**
 * Selects connections of devices with a subscription's server, which an intact firewall leaves
 * untracked. By network, so that hundreds of addresses need few calls.
 */
export function serverFlows({ bindAddress, port, tcpPort }: DesiredSubscription): string[] {
  const network = bindAddress.replace(/\d+$/, '0/24');
  return ['dst', 'src'].flatMap(end => {
    const at = `--mark 0 --orig-${end} ${network} --orig-port-${end}`;
    return [`--proto udp ${at} ${port}`, ...(tcpPort ? [`--proto tcp ${at} ${tcpPort}`] : [])];
  });
}

/**
 * Deletes connections. The program prints each one, so its standard output is discarded: it names
 * who talked with whom.
 * @param which options of the program
 * @returns whether they are gone; the program fails when there were none, and reports only that
 */
function deleteFlows(which: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('conntrack', ['--delete', ...which.split(' ')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: CHILD_ENV,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0 || errors.includes(' 0 flow entries have been deleted')));
  });
}

/**
 * Creates a queue that deletes connections, one selection after the other. Failed deletions are
 * retried with the next call, even an empty one.
 * @returns accepts selections, and resolves when each was tried; never fails
 */
export function createFlowDeletion(log: Log): (kinds: readonly string[]) => Promise<void> {
  const waiting = new Set<string>();
  let last = Promise.resolve();

  async function deletePending(): Promise<void> {
    const kinds = [...waiting];
    waiting.clear();
    for (const kind of kinds) if (!(await deleteFlows(kind))) waiting.add(kind);
    if (waiting.size > 0) log('connectionsKept', { kinds: waiting.size });
  }

  return kinds => {
    for (const kind of kinds) waiting.add(kind);
    last = last.then(deletePending);
    return last;
  };
}
