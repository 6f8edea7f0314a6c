import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, dataArgument, programEnv } from './cluster.ts';

/**
 * The shell becomes the server (`exec`) and leaves a watcher that waits for the end of our pipe:
 * when this process dies, the server gets SIGINT (a fast, clean shutdown). The watcher is a
 * grandchild, because the server treats the end of an unknown child as a crash. The server has its
 * own session, so that a Ctrl-C at the terminal does not stop it before its clients.
 */
const followParent = '( ( read _ <&3; kill -INT $$ 2>&- ) & ) ; exec "$0" "$@" 3<&-';

/** A running server process. */
export interface Server {
  child: ChildProcess;
  /** Resolves when the process is gone. */
  ended: Promise<void>;
  /** The last lines of its output, for example why it did not start. */
  lastLines(): string;
}

/** Starts the server program, which may still fail. Row data in error texts is never logged. */
export function launch(
  cluster: Cluster,
  programs: string,
  settings: Record<string, string>,
  log: (line: string) => void,
): Server {
  const all = {
    listen_addresses: '',
    unix_socket_directories: '../run',
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    '/bin/sh',
    ['-c', followParent, join(programs, 'postgres'), '-D', dataArgument(cluster), ...options],
    {
      cwd: cluster.data,
      env: programEnv,
      ...cluster.owner,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      log(line);
      lines.push(line);
      if (lines.length > 10) lines.shift();
    }
  });
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      lines.push(error.message);
      resolve();
    });
    child.once('exit', () => {
      // Stops the watcher too, before another process can get the server's id.
      (child.stdio[3] as { destroy(): void } | null)?.destroy();
      resolve();
    });
  });
  return { child, ended, lastLines: () => lines.join('\n') };
}

/** Requests a fast shutdown (disconnects clients, writes data) and escalates after a timeout. */
export async function shutDown({ child, ended }: Server): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const waiting = new AbortController();
    await Promise.race([ended, delay(timeoutMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
  }
}

/**
 * Process id of a server that an earlier start left on this cluster, or undefined. Removes a lock
 * file whose process is not PostgreSQL (container restarts reuse ids), or works in another folder
 * (this one is a copy of it).
 */
export async function orphanOf(cluster: Cluster): Promise<number | undefined> {
  const file = join(cluster.data, 'postmaster.pid');
  const socket = join(cluster.run, '.s.PGSQL.5432');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  if (name.trim() === 'postgres' && (await worksIn(pid, cluster.data))) return pid;
  for (const stale of [file, socket, `${socket}.lock`]) await rm(stale, { force: true });
  return undefined;
}

/**
 * Whether a process works in this folder, by any path. True if unknown: two servers on one folder
 * would destroy it.
 */
async function worksIn(pid: number, folder: string): Promise<boolean> {
  const theirs = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
  const ours = await stat(folder);
  return !theirs || (theirs.ino === ours.ino && theirs.dev === ours.dev);
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
