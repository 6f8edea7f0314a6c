import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENV } from '../run.ts';
import { withoutRights } from '../without-rights.ts';
import { connectManagement, type Management } from './management.ts';

/** A start takes 15–30 ms; on a busy host several times that. */
const READY_MS = 10_000;
const STEP_MS = 5;
const GONE_MS = 5000;

/**
 * Starts openvpn without any right: the slot's own user, no capability, no way to gain one, no core file (it would hold
 * keys), and with room for itself alone. Nothing it prints is kept. It is detached, so that it outlives the agent.
 */
function spawnOpenvpn(config: string, uid: number): ChildProcess {
  const program = [
    ...['prlimit', '--core=0:0', `--data=${MEMORY}`, `--nofile=${FILES}`],
    ...[...withoutRights(uid), 'openvpn', '--config', 'stdin'],
  ];
  const child = spawn(program[0]!, program.slice(1), {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: CHILD_ENV,
  });
  // A process that ends at once closes the pipe; its exit tells, not this.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(config);
  child.unref();
  return child;
}

/**
 * Starts a process and waits until it lets clients in.
 * @param begun is told its process id before anything can be asked of it
 * @throws Error when it ends, or is not ready in time (it is killed then)
 */
export async function startOpenvpn(
  config: string,
  uid: number,
  socketPath: string,
  begun: (pid: number) => void,
): Promise<Management> {
  const child = spawnOpenvpn(config, uid);
  if (child.pid) begun(child.pid);
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  child.once('exit', () => {
    ended = true;
  });
  for (let waited = 0; waited < READY_MS && !ended; waited += STEP_MS) {
    const management = await connectManagement(socketPath).catch(() => undefined);
    // The socket of a predecessor that is just ending may still answer.
    if (management && management.pid === child.pid) {
      if (await becomesReady(management)) return management;
      break;
    }
    await sleep(STEP_MS);
  }
  if (!ended) child.kill('SIGKILL');
  throw new Error('openvpn did not start');
}

async function becomesReady(management: Management): Promise<boolean> {
  for (let waited = 0; waited < READY_MS; waited += STEP_MS) {
    try {
      if (await management.ready()) return true;
    } catch {
      return false;
    }
    await sleep(STEP_MS);
  }
  return false;
}

/**
 * Whether a process is there and is a slot's own, which its user proves: ids of processes are given again. A zombie has
 * given everything back; only its parent has not looked yet.
 */
function alive(pid: number, uid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(status) && !/^State:\t[ZX]/m.test(status);
  } catch {
    return false;
  }
}

/**
 * Has a process stand still for a moment. A client whose first packet it has answered would wait a minute for one that is
 * gone, and before his second packet nobody knows of him: but that one comes now, and waits to be read.
 * @returns whether nobody has called; the process goes on when somebody has
 */
export async function killOpenvpn(pid: number, uid: number): Promise<void> {
  for (let waited = 0; alive(pid, uid); waited += STEP_MS) {
    try {
      if (waited === 0) process.kill(pid, 'SIGKILL');
    } catch {
      // Gone in this moment.
    }
    if (waited >= GONE_MS) throw new Error('openvpn does not end');
    await sleep(STEP_MS);
  }
}
