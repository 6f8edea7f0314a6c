import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { resumeOwn } from '../own-process.ts';
import { CHILD_ENV } from '../run.ts';
import { unprivileged } from '../unprivileged.ts';
import { connectManagement, type Management } from './management.ts';

/** A start takes 15–30 ms; on a busy host several times that. */
const READY_MS = 10_000;
const STEP_MS = 5;

/** A process has about two megabytes of its own, and ten files; one that wants far more takes it from everybody's. */
const [MEMORY, FILES] = [64 * 1024 * 1024, 64];

/**
 * Memory that openvpn gives back is overwritten at once, so that who has left is not found in it while others stay.
 * Without its cache of small pieces, which the C library does not overwrite.
 */
const WIPED = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0';

/** So long a process stands still before it goes: who is logging in has sent his next packet by then. */
const IDLE_CHECK_MS = 500;

/**
 * Starts openvpn without any right: the slot's own user, no capability, no way to gain one, no core file (it would hold
 * keys), and with room for itself alone. Nothing it prints is kept. It is detached, so that it outlives the agent.
 */
function spawnOpenvpn(config: string, uid: number): ChildProcess {
  const program = [
    ...['prlimit', '--core=0:0', `--data=${MEMORY}`, `--nofile=${FILES}`],
    ...[...unprivileged(uid), 'openvpn', '--config', 'stdin'],
  ];
  const child = spawn(program[0]!, program.slice(1), {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { ...CHILD_ENV, GLIBC_TUNABLES: WIPED },
  });
  // A process that ends at once closes the pipe; its exit tells, not this.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(config);
  child.unref();
  return child;
}

/**
 * Starts a process and waits until it lets clients in.
 * @param started is told its process id before anything can be asked of it
 * @throws Error when it ends, or is not ready in time (it is killed then)
 */
export async function startOpenvpn(
  config: string,
  uid: number,
  socketPath: string,
  started: (pid: number) => void,
): Promise<Management> {
  const child = spawnOpenvpn(config, uid);
  if (child.pid) started(child.pid);
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

/** Processes that stand still just now, with their users. When the agent ends they go on, for nobody else would see to it. */
const paused = new Map<number, number>();
process.on('exit', () => {
  for (const [pid, uid] of paused) resumeOwn(pid, uid);
});

/**
 * Has a process stand still for a moment. A client whose first packet it has answered would wait a minute for one that is
 * gone, and before his second packet nobody knows of him: but that one comes now, and waits to be read.
 * @returns whether nobody has called; the process goes on when somebody has
 */
export async function pauseIfIdle(pid: number, uid: number): Promise<boolean> {
  process.kill(pid, 'SIGSTOP');
  paused.set(pid, uid);
  await sleep(IDLE_CHECK_MS);
  paused.delete(pid);
  if (!hasUnreadPacket(uid)) return true;
  process.kill(pid, 'SIGCONT');
  return false;
}

/** Whether a packet waits to be read by a process of a user. */
const hasUnreadPacket = (uid: number): boolean =>
  readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .map(row => row.trim().split(/\s+/))
    .some(([, , , , queues, , , owner]) => owner === String(uid) && !queues!.endsWith(':00000000'));
