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

/** A start takes 200 ms; on a busy host several times that. */
const READY_MS = 10_000;
const STEP_MS = 20;
/** Megabytes of what it remembers; packets are not in it. */
const HEAP = 64;

type Options = {
  runDir: string;
  firstUid: number;
  /** File of the relay's program. */
  program: string;
  log: Log;
};

const routesOf = (subscriptions: readonly DesiredSubscription[]): RelayRoute[] =>
  subscriptions.flatMap(({ bindAddress, port, tcpPort }) =>
    tcpPort ? [{ address: bindAddress, tcpPort, udpPort: port }] : [],
  );

/** One process for the whole host, found again by its socket whoever has started it, and started again when it ends. */
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
    // It gives up its rights by itself: its program may lie where only root reads.
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

  /** The relay that runs, if it is of this program; else a new one. @throws Error when it does not start */
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
    // It may not have given up root yet, and then is nobody's whom a later try would know as its own.
    child.kill('SIGKILL');
    throw new Error('the relay did not start');
  }

  function track(opened: RelayConnection): void {
    connection = opened;
    void opened.closed.then(() => {
      if (connection !== opened) return;
      connection = undefined;
      log('relayEnded');
      // Once; then every look tries it.
      void withLock(sendRoutes).catch(() => undefined);
    });
  }

  /**
   * Tells the relay what it shall have, and so starts one that is not there.
   * @returns where it has something else
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
      // One that stands still keeps its ports.
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
        // One that stood still has been killed.
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
