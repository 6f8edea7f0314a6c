import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { resumeOwn } from '../own-process.ts';
import { CHILD_ENV } from '../run.ts';
import { unprivileged } from '../unprivileged.ts';
import { connectManagement, type Management } from './management.ts';

/** A start takes 15–30 ms, and several times that on a busy host. */
const READY_MS = 10_000;
const STEP_MS = 5;

/**
 * Limits per process, which needs about 2 MB and ten files: a runaway one must not starve the host.
 */
const [MEMORY, FILES] = [64 * 1024 * 1024, 64];

/**
 * Makes glibc overwrite freed memory, so that traces of disconnected clients vanish while others
 * stay connected. Disables its cache of small blocks, which is not overwritten.
 */
const WIPED = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0';

/**
 * How long a process is paused before a restart: a client that is logging in sends its next packet
 * by then.
 */
const IDLE_CHECK_MS = 500;

/**
 * Starts OpenVPN unprivileged: the slot's own user, no capabilities, no core file (it would hold
 * keys), limited memory and files. Its output is discarded. Detached, so that it outlives the
 * agent.
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
  // A process that exits at once closes the pipe; its exit code is what counts.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(config);
  child.unref();
  return child;
}

/**
 * Starts a process and waits until it accepts clients.
 * @param started receives the process id before the process can be queried
 * @throws Error when it exits or is not ready in time (it is killed then)
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
    // The socket of a predecessor that is just exiting may still answer.
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
 * Paused processes with their users. They are resumed when the agent exits, because nobody else
 * would.
 */
const paused = new Map<number, number>();
process.on('exit', () => {
  for (const [pid, uid] of paused) resumeOwn(pid, uid);
});

/**
 * Pauses a process before its restart. OpenVPN does not list a client before its second packet, and
 * a client whose first packet was answered would wait a minute for the new process.
 * @returns whether no packet arrived; the process is resumed otherwise
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

/** Whether a user's process has an unread packet. */
const hasUnreadPacket = (uid: number): boolean =>
  readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .map(row => row.trim().split(/\s+/))
    .some(([, , , , queues, , , owner]) => owner === String(uid) && !queues!.endsWith(':00000000'));
