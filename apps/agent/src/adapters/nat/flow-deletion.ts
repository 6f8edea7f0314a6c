import { spawn } from 'node:child_process';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import type { Log } from '../../log.ts';
import { CHILD_ENV } from '../run.ts';

/** A command that is stuck must not stop the agent for ever. */
const TIMEOUT_MS = 60_000;

/** Connections by the mark that the firewall gave them (`number` or `number/mask`), of both families. */
export const byMark = (mark: string | number): string => `--mark ${mark}`;

/**
 * Those of customers' devices with a subscription's server, which a whole firewall keeps out of the kernel's table. By its
 * network, so that a host with hundreds of addresses needs a few calls.
 */
export function serverFlows({ bindAddress, port, tcpPort }: DesiredSubscription): string[] {
  const network = bindAddress.replace(/\d+$/, '0/24');
  return ['dst', 'src'].flatMap(end => {
    const at = `--mark 0 --orig-${end} ${network} --orig-port-${end}`;
    return [`--proto udp ${at} ${port}`, ...(tcpPort ? [`--proto tcp ${at} ${tcpPort}`] : [])];
  });
}

/**
 * Deletes connections. The program prints each, so nothing that it prints is read: it would name who talked with whom.
 * @param which as options of the program
 * @returns whether they are gone. Where there were none the program fails, and says so alone
 */
function deleteFlows(which: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('conntrack', ['--delete', ...which.split(' ')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: CHILD_ENV,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0 || said.includes(' 0 flow entries have been deleted')));
  });
}

/**
 * Has the kernel forget connections, one kind after the other. What could not be deleted is tried again with the next ones,
 * or when nothing else is asked.
 * @returns what takes kinds, and resolves when each was tried; it never fails
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
