import { spawn } from 'node:child_process';
import type { Log } from '../../log.ts';
import { CHILD_ENV } from '../run.ts';

/** A command that is stuck must not stop the agent for ever. */
const TIMEOUT_MS = 60_000;

/**
 * Deletes connections by the mark that the firewall gave them (`number` or `number/mask`), of both families. The program
 * prints each that it deletes, so nothing that it prints is read: it would name who talked with whom.
 * @returns whether they are gone. Where there were none the program fails, and says so alone
 */
function deleteMarked(mark: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('conntrack', ['--delete', '--mark', mark], {
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
 * Has the kernel forget connections, one mark after the other. What could not be deleted is tried again with the next ones,
 * or when nothing else is asked.
 * @returns what takes marks, and resolves when each was tried; it never fails
 */
export function createForgetting(log: Log): (marks: readonly string[]) => Promise<void> {
  const waiting = new Set<string>();
  let last = Promise.resolve();

  async function forgetWaiting(): Promise<void> {
    const marks = [...waiting];
    waiting.clear();
    for (const mark of marks) if (!(await deleteMarked(mark))) waiting.add(mark);
    if (waiting.size > 0) log('connectionsKept', { marks: waiting.size });
  }

  return marks => {
    for (const mark of marks) waiting.add(mark);
    last = last.then(forgetWaiting);
    return last;
  };
}
