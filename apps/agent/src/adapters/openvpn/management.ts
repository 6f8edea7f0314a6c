import { connect } from 'node:net';
import { afterTimeout } from '../timeout.ts';
import { cellsOf, transientLines } from './transient-lines.ts';

/** A process that does not answer within this time is treated as gone. */
const TIMEOUT_MS = 5000;

export type Session = {
  /** Common name, which is the key's id. */
  keyId: string;
  /** Number of the session, for {@link Management.end}. */
  id: string;
  /** It was let in. Openvpn lists one that it has refused for seconds, too. */
  served: boolean;
};

/** One look at a process: numbers and names of keys, nothing of where anybody is. */
export type ProcessSnapshot = {
  pid: number;
  /** All that have started. Before a handshake is over there is no key; one that is let in is `served`. */
  started: { id: string; keyId?: string; served: boolean }[];
  /** Bytes that it has sent since its start. Strangers are sent none: they do not have the subscription's key. */
  sent: number;
};

/** Who is connected to a process, in one word of it. */
export type Presence = {
  /** Of one key there may be several. */
  sessions: Session[];
  /** Somebody has been there since the process began, and nobody is, nor is about to log in. */
  left: boolean;
};

/**
 * A held connection to one process. Held, because its end is the earliest and surest sign that the process has
 * ended, also for one that an earlier run of the agent has started.
 */
export type Management = {
  pid: number;
  /** The server has its socket and device and lets clients in. */
  ready(): Promise<boolean>;
  /** Without those that were ended: openvpn lists them for seconds, when no packet of theirs goes through any more. */
  sessions(): Promise<Session[]>;
  snapshot(): Promise<ProcessSnapshot>;
  presence(): Promise<Presence>;
  /** Ends a session at once. HALT: the client stops. RESTART: it tries again after a second. */
  end(sessionId: string, how: 'HALT' | 'RESTART'): Promise<void>;
  /** Settles when the connection, and so the process, has ended. */
  closed: Promise<void>;
  /** Lets the process answer somebody else. */
  leave(): void;
};

type Pending = {
  manyLines: boolean;
  lines: string[];
  resolve: (lines: string[]) => void;
  reject: (error: Error) => void;
};

/**
 * What of a line may be kept. In a table that is a session's name and number, and whether it has an address in the tunnel: the rest of its row holds the customer's
 * address and must go nowhere. Notices hold it too; they begin with `>` and are no answers.
 */
export function redactLine(line: Buffer): string | undefined {
  if (line[0] === '>'.charCodeAt(0)) return undefined;
  const cells = cellsOf(line);
  if (cells.length === 1) return line.toString();
  if (!cells[0]!.equals(CLIENT_LIST)) return undefined;
  return `${cells[1]}\t${cells[10]}\t${cells[3]?.length ? SERVED : ''}`;
}

const SERVED = 'served';
const CLIENT_LIST = Buffer.from('CLIENT_LIST');
/** Name of a handshake that has no name yet; the missing client file refuses it. */
const UNNAMED = 'UNDEF';

/** @throws Error when nothing listens at the path */
export function connectManagement(path: string): Promise<Management> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, onread: transientLines(line => take(redactLine(line))) });
    const queue: Pending[] = [];
    const ended = new Set<string>();
    const closed = new Promise<void>(done => socket.once('close', () => done()));

    const finish = (pending: Pending) => {
      queue.shift();
      pending.resolve(pending.lines);
    };
    const take = (line: string | undefined) => {
      const pending = queue[0];
      if (!pending || line === undefined) return;
      if (line === 'END') return finish(pending);
      pending.lines.push(line);
      if (!pending.manyLines || line.startsWith('ERROR:')) finish(pending);
    };

    socket.once('close', () => {
      for (const pending of queue.splice(0)) pending.reject(new Error('openvpn has ended'));
    });
    socket.once('error', reject);

    function ask(command: string, manyLines: boolean): Promise<string[]> {
      return new Promise((done, failed) => {
        if (socket.destroyed) return failed(new Error('openvpn has ended'));
        const answered = afterTimeout(TIMEOUT_MS, () => socket.destroy());
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            answered();
            then(value);
          };
        queue.push({ manyLines, lines: [], resolve: settle(done), reject: settle(failed) });
        socket.write(`${command}\n`);
      });
    }

    const listed = async (): Promise<ProcessSnapshot['started']> =>
      (await ask('status 3', true))
        .map(row => row.split('\t'))
        .filter(([, id]) => /^\d+$/.test(id ?? ''))
        .map(([name, id, served]) => ({
          id: id!,
          ...(name !== UNNAMED && { keyId: name! }),
          served: served === SERVED,
        }));
    const goesOn = ({ id }: { id: string }) => !ended.has(id);
    const present = async () => (await listed()).filter(goesOn);
    const sessionsIn = (started: ProcessSnapshot['started']): Session[] =>
      started.flatMap(({ keyId, ...session }) => (keyId === undefined ? [] : [{ keyId, ...session }]));
    const load = async (): Promise<string> => (await ask('load-stats', false))[0] ?? '';

    socket.once('connect', () => {
      ask('pid', false)
        .then(([answer]) => {
          const pid = Number(answer?.match(/^SUCCESS: pid=(\d+)$/)?.[1]);
          if (!pid) throw new Error('openvpn did not tell its process id');
          resolve({
            pid,
            closed,
            leave: () => socket.destroy(),
            ready: async () => (await ask('state', true)).some(line => line.split(',')[1] === 'CONNECTED'),
            sessions: async () => sessionsIn(await present()),
            async snapshot() {
              const sent = Number((await load()).match(/,bytesout=(\d+)$/)?.[1] ?? 0);
              return { pid, started: await present(), sent };
            },
            async presence() {
              const stats = await load();
              // Most processes of a host, and nothing more is asked of them.
              if (/nclients=0,bytesin=0,/.test(stats)) return { sessions: [], left: false };
              const started = await listed();
              return {
                sessions: sessionsIn(started.filter(goesOn)),
                left: /nclients=0,/.test(stats) && started.length === 0,
              };
            },
            async end(sessionId, how) {
              ended.add(sessionId);
              await ask(`client-kill ${sessionId} ${how}`, false);
            },
          });
        })
        .catch((error: Error) => {
          socket.destroy();
          reject(error);
        });
    });
  });
}

/** As {@link connectManagement}, but undefined when no process is there. */
export const managementIfRunning = (path: string): Promise<Management | undefined> =>
  connectManagement(path).catch(() => undefined);
