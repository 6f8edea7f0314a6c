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
import { type Way, wayName } from '../../relay/way.ts';
import { killOwn } from '../own-process.ts';
import { CHILD_ENV } from '../run.ts';
import { connectLine, type Line } from './line.ts';

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

const waysOf = (subscriptions: readonly DesiredSubscription[]): Way[] =>
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
  let wanted: Way[] = [];
  let line: Line | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  const kill = (): Promise<void> => killOwn(Number(readOrEmpty(pidFile)), uid);

  function begin(): ChildProcess {
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
  async function reach(): Promise<Line> {
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
    const found = await connectLine(socket).catch(() => undefined);
    if (found && readOrEmpty(hashFile) === hash) return found;
    await kill();
    const child = begin();
    writeFileSync(hashFile, hash, { mode: 0o600 });
    for (let waited = 0; waited < READY_MS && child.exitCode === null; waited += STEP_MS) {
      const started = await connectLine(socket).catch(() => undefined);
      if (started) return started;
      await sleep(STEP_MS);
    }
    // It may not have given up root yet, and then is nobody's whom a later try would know as its own.
    child.kill('SIGKILL');
    throw new Error('the relay did not start');
  }

  function hold(held: Line): void {
    line = held;
    void held.closed.then(() => {
      if (line !== held) return;
      line = undefined;
      log('relayEnded');
      // Once; then every look tries it.
      void inTurn(tell).catch(() => undefined);
    });
  }

  /**
   * Tells the relay what it shall have, and so starts one that is not there.
   * @returns where it has something else
   * @throws Error when it does not answer
   */
  async function tell(): Promise<Drift[]> {
    const ways = wanted;
    if (ways.length === 0) {
      line = undefined;
      await kill();
      return [];
    }
    if (!line) hold(await reach());
    try {
      return driftOf('relay', await line!.tell(ways), ways.map(wayName));
    } catch (error) {
      // One that stands still keeps its ports.
      await kill();
      throw error;
    }
  }

  return {
    lead(subscriptions) {
      wanted = waysOf(subscriptions);
      void inTurn(tell).catch(() => log('relayFailed'));
    },

    drift: () =>
      inTurn(tell)
        // One that stood still has been killed.
        .catch(() => inTurn(tell))
        .catch(() => driftOf('relay', [], wanted.map(wayName))),
  };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
