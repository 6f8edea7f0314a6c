import { connect } from 'node:net';

/** A process that does not answer within this time is treated as gone. */
const TIMEOUT_MS = 5000;

export type Session = {
  /** Common name, which is the key's id. */
  keyId: string;
  /** Number of the session, for {@link Management.end}. */
  id: string;
};

/**
 * A held connection to one process. Held, because its end is the earliest and surest sign that the process has
 * ended, also for one that an earlier run of the agent has started.
 */
export type Management = {
  pid: number;
  /** The server has its socket and device and lets clients in. */
  ready(): Promise<boolean>;
  sessions(): Promise<Session[]>;
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
 * Reads session names and numbers. The rest of the line holds the customer's address: it is dropped here and must go
 * nowhere (V18). Handshakes that have no name yet are left out; the missing client file refuses them.
 */
export const parseSessions = (lines: readonly string[]): Session[] =>
  lines
    .map(line => line.split('\t'))
    .filter(columns => columns[0] === 'CLIENT_LIST' && columns[1] !== 'UNDEF')
    .map(columns => ({ keyId: columns[1]!, id: columns[10]! }))
    .filter(({ id }) => /^\d+$/.test(id ?? ''));

/** @throws Error when nothing listens at the path */
export function connectManagement(path: string): Promise<Management> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const queue: Pending[] = [];
    let rest = '';
    const closed = new Promise<void>(done => socket.once('close', () => done()));

    const finish = (pending: Pending) => {
      queue.shift();
      pending.resolve(pending.lines);
    };
    const take = (line: string) => {
      const pending = queue[0];
      // Lines that begin with `>` are notices of the process, not answers.
      if (!pending || line.startsWith('>')) return;
      if (line === 'END') return finish(pending);
      pending.lines.push(line);
      if (!pending.manyLines || line.startsWith('ERROR:')) finish(pending);
    };

    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop()!;
      lines.forEach(take);
    });
    socket.once('close', () => {
      for (const pending of queue.splice(0)) pending.reject(new Error('openvpn has ended'));
    });
    socket.once('error', reject);

    function ask(command: string, manyLines: boolean): Promise<string[]> {
      return new Promise((done, failed) => {
        if (socket.destroyed) return failed(new Error('openvpn has ended'));
        const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            then(value);
          };
        queue.push({ manyLines, lines: [], resolve: settle(done), reject: settle(failed) });
        socket.write(`${command}\n`);
      });
    }

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
            sessions: async () => parseSessions(await ask('status 3', true)),
            end: async (sessionId, how) => void (await ask(`client-kill ${sessionId} ${how}`, false)),
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
