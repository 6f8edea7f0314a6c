import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredSubscription, Drift } from '@fixpoint/contract/agent.ts';
import { driftOf } from '../../drift.ts';
import { relayUid } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Relay } from '../../ports/host.ts';
import { type RelayRoute, routeName } from '../../relay/route.ts';
import { killOwn } from '../own-process.ts';
import { CHILD_ENV } from '../run.ts';
import { connectRelay, type RelayConnection } from './connection.ts';

/** A start takes 200 ms, and several times that on a busy host. */
const READY_MS = 10_000;
const STEP_MS = 20;
/** Heap limit in MB; packet buffers are not part of it. */
const HEAP = 64;

type Options = {
  runDir: string;
  firstUid: number;
  /** Path of the relay's program. */
  program: string;
  log: Log;
};

const routesOf = (subscriptions: readonly DesiredSubscription[]): RelayRoute[] =>
  subscriptions.flatMap(({ bindAddress, port, tcpPort }) =>
    tcpPort ? [{ address: bindAddress, tcpPort, udpPort: port }] : [],
  );

/**
 * Supervises one process for the whole host. Finds a running one by its socket and restarts it when
 * it ends.
 */
export function createRelay({ runDir, firstUid, program, log }: Options): Relay {
  const base = join(runDir, 'relay');
  const [own, pidFile, hashFile] = ['own', 'pid', 'program-hash'].map(name => join(base, name)) as [
    string,
    string,
    string,
  ];
  const socket = join(own, 'socket');
  const uid = relayUid(firstUid);
  let wanted: RelayRoute[] = [];
  let connection: RelayConnection | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function withLock<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  }

  const kill = (): Promise<void> => killOwn(Number(readOrEmpty(pidFile)), uid);

  function spawnRelay(): ChildProcess {
    mkdirSync(own, { recursive: true, mode: 0o711 });
    chownSync(own, uid, uid);
    // The program drops its privileges itself, because only root may be able to read it.
    const command = [
      ...['prlimit', '--core=0:0', 'setpriv', '--no-new-privs', process.execPath],
      ...[`--max-old-space-size=${HEAP}`, program, String(uid), socket],
    ];
    const child = spawn(command[0]!, command.slice(1), {
      stdio: 'ignore',
      detached: true,
      cwd: '/',
      env: CHILD_ENV,
    });
    child.on('error', () => undefined);
    child.unref();
    writeFileSync(pidFile, String(child.pid ?? 0), { mode: 0o600 });
    return child;
  }

  /**
   * Connects to a running relay of this version, or starts a new one. @throws Error when it does
   * not start
   */
  async function connectOrStart(): Promise<RelayConnection> {
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
    const found = await connectRelay(socket).catch(() => undefined);
    if (found && readOrEmpty(hashFile) === hash) return found;
    await kill();
    const child = spawnRelay();
    writeFileSync(hashFile, hash, { mode: 0o600 });
    for (let waited = 0; waited < READY_MS && child.exitCode === null; waited += STEP_MS) {
      const started = await connectRelay(socket).catch(() => undefined);
      if (started) return started;
      await sleep(STEP_MS);
    }
    // It may still run as root, and a later attempt would not recognize it as its own.
    child.kill('SIGKILL');
    throw new Error('the relay did not start');
  }

  function track(opened: RelayConnection): void {
    connection = opened;
    void opened.closed.then(() => {
      if (connection !== opened) return;
      connection = undefined;
      log('relayEnded');
      // One retry; afterwards every reconciliation retries.
      void withLock(sendRoutes).catch(() => undefined);
    });
  }

  /**
   * Sends the routes, starting the relay if necessary.
   * @returns the differences
   * @throws Error when it does not answer
   */
  async function sendRoutes(): Promise<Drift[]> {
    const routes = wanted;
    if (routes.length === 0) {
      connection = undefined;
      await kill();
      return [];
    }
    if (!connection) track(await connectOrStart());
    try {
      return driftOf('relay', await connection!.sendRoutes(routes), routes.map(routeName));
    } catch (error) {
      // A hanging relay keeps its ports.
      await kill();
      throw error;
    }
  }

  return {
    setRoutes(subscriptions) {
      wanted = routesOf(subscriptions);
      void withLock(sendRoutes).catch(() => log('relayFailed'));
    },

    drift: () =>
      withLock(sendRoutes)
        // The first attempt has killed a hanging relay.
        .catch(() => withLock(sendRoutes))
        .catch(() => driftOf('relay', [], wanted.map(routeName))),
  };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
