import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 5;
const GONE_MS = 5000;

/**
 * Whether a process exists and runs as this user; process ids are reused. A zombie has released
 * everything and only waits for its parent.
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
    // The process has just ended.
  }
}

/**
 * Resumes a process that a killed agent may have left paused. Ignores running and foreign
 * processes.
 */
export function resumeOwn(pid: number, uid: number): void {
  if (alive(pid, uid)) send(pid, 'SIGCONT');
}

/**
 * Kills a process of a dedicated user and waits until it is gone: its device or socket may be
 * removed or reused only afterwards.
 * @throws Error when it does not end
 */
export async function killOwn(pid: number, uid: number): Promise<void> {
  for (let waited = 0; alive(pid, uid); waited += STEP_MS) {
    if (waited === 0) send(pid, 'SIGKILL');
    if (waited >= GONE_MS) throw new Error('the process does not end');
    await sleep(STEP_MS);
  }
}
