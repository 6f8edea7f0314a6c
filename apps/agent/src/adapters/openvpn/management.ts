import { connect } from 'node:net';
import { systemSeconds } from '../../clock.ts';
import { afterTimeout } from '../timeout.ts';
import { cellsOf, transientLines } from './transient-lines.ts';

/** A process that does not answer within this time is treated as gone. */
const TIMEOUT_MS = 5000;

export type Session = {
  /** Common name, which is the key's id. */
  keyId: string;
  /** Number of the session, for {@link Management.end}. */
  id: string;
  /** Whether the client was let in. OpenVPN also lists refused sessions for some seconds. */
  served: boolean;
};

/** Session numbers, key ids and sent bytes of a process at one moment; no addresses. */
export type ProcessSnapshot = {
  pid: number;
  /**
   * All handshakes and sessions. `keyId` is missing until the handshake ends; `served` means let
   * in, `fresh` only just now.
   */
  started: { id: string; keyId?: string; served: boolean; fresh?: boolean }[];
  /** Bytes sent since the start. Strangers get none: they lack the subscription's tls-crypt key. */
  sent: number;
};

/** Clients of a process, read with at most two commands. */
export type Presence = {
  /** A key may have several. */
  sessions: Session[];
  /**
   * Clients were connected since the start of the process, and none is connected or logging in now.
   */
  left: boolean;
};

/**
 * Connection to one process. It stays open because its end is the earliest reliable sign that the
 * process has ended, even for one that an earlier agent started.
 */
export type Management = {
  pid: number;
  /** Whether the server has its socket and device and accepts clients. */
  ready(): Promise<boolean>;
  /**
   * Excludes sessions that were ended: OpenVPN lists them for seconds although they pass no
   * packets.
   */
  sessions(): Promise<Session[]>;
  snapshot(): Promise<ProcessSnapshot>;
  presence(): Promise<Presence>;
  /** Ends a session at once. HALT: the client stops. RESTART: it reconnects after a second. */
  end(sessionId: string, how: 'HALT' | 'RESTART'): Promise<void>;
  /** Settles when the connection, and so the process, has ended. */
  closed: Promise<void>;
  /** Closes the connection, so that the process can serve another one. */
  leave(): void;
};

type Pending = {
  manyLines: boolean;
  lines: string[];
  resolve: (lines: string[]) => void;
  reject: (error: Error) => void;
};

/**
 * Age in seconds up to which a session is fresh. Of two devices with one file, the one that was
 * pushed out is back by then: it misses pings for 12 s, waits up to 2 s, and logs in.
 */
const FRESH_S = 18;

/**
 * Returns the part of a line that may be stored: of a table row name, number, whether the client has
 * a tunnel address, and whether it came just now. The rest holds the customer's address and the time
 * of the connection, as do notices (they begin with `>`).
 */
export function redactLine(line: Buffer, now: number = systemSeconds()): string | undefined {
  if (line[0] === '>'.charCodeAt(0)) return undefined;
  const cells = cellsOf(line);
  if (cells.length === 1) return line.toString();
  if (!cells[0]!.equals(CLIENT_LIST)) return undefined;
  const served = cells[3]?.length ? SERVED : '';
  return `${cells[1]}\t${cells[10]}\t${served}\t${now - Number(`${cells[8]}`) < FRESH_S ? FRESH : ''}`;
}

const SERVED = 'served';
const FRESH = 'fresh';
const CLIENT_LIST = Buffer.from('CLIENT_LIST');
/** OpenVPN's name for an unfinished handshake. No client file has that name, so it is refused. */
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
        .map(([name, id, served, fresh]) => ({
          id: id!,
          ...(name !== UNNAMED && { keyId: name! }),
          served: served === SERVED,
          fresh: fresh === FRESH,
        }));
    const isLive = ({ id }: { id: string }) => !ended.has(id);
    const present = async () => (await listed()).filter(isLive);
    const sessionsIn = (started: ProcessSnapshot['started']): Session[] =>
      started.flatMap(({ keyId, id, served }) => (keyId === undefined ? [] : [{ keyId, id, served }]));
    const load = async (): Promise<string> => (await ask('load-stats', false))[0] ?? '';

    socket.once('connect', () => {
      ask('pid', false)
        .then(([answer]) => {
          const pid = Number(answer?.match(/^SUCCESS: pid=(\d+)$/)?.[1]);
          if (!pid) throw new Error('openvpn did not report its process id');
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
              // True for most processes of a host, which need no second command.
              if (/nclients=0,bytesin=0,/.test(stats)) return { sessions: [], left: false };
              const started = await listed();
              return {
                sessions: sessionsIn(started.filter(isLive)),
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
