import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 5;
const GONE_MS = 5000;

/**
 * Whether a process is there and is ours, which its user proves: ids of processes are given again. A zombie has given
 * everything back; only its parent has not looked yet.
 */
function alive(pid: number, uid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(status) && !/^State:\t[ZX]/m.test(status);
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in this moment.
  }
}

/**
 * Has a process go on that stands still: an agent that was killed may have left it so. Does nothing to one that runs, or is
 * not ours.
 */
export function resumeOwn(pid: number, uid: number): void {
  if (alive(pid, uid)) send(pid, 'SIGCONT');
}

/**
 * Kills a process that was started for a user of its own, whether it answers or not, and waits until it is gone: what it
 * holds (a device, a socket) may be taken away or given to another only then.
 * @throws Error when it does not go
 */
export async function killOwn(pid: number, uid: number): Promise<void> {
  for (let waited = 0; alive(pid, uid); waited += STEP_MS) {
    if (waited === 0) send(pid, 'SIGKILL');
    if (waited >= GONE_MS) throw new Error('the process does not end');
    await sleep(STEP_MS);
  }
}
