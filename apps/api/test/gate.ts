import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlsFor } from '@fixpoint/postgres/roles.ts';

const SOCKET = '.s.PGSQL.5432';

/** A way to a PostgreSQL socket that can be shut. */
export async function startGate(url: string) {
  const through = new URL(url);
  const behind = join(through.searchParams.get('host')!, SOCKET);
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-gate-'));
  const open = new Set<Socket>();
  let isShut = false;
  let untilCut = 0;
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer(socket => {
    if (isShut) return void socket.destroy();
    const inner = connect(behind);
    for (const end of [socket, inner]) {
      open.add(end);
      end.on('error', () => end.destroy());
      end.on('close', () => open.delete(end));
    }
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
    untilCut -= 1;
    if (untilCut === 0) cut();
  });
  await new Promise<void>(done => server.listen(join(folder, SOCKET), done));
  through.searchParams.set('host', folder);
  return {
    /** The same database through the gate; the test itself goes round it. */
    database: { url, urls: urlsFor(through.href) },
    /** What is connected is cut, what knocks is turned away. */
    shut() {
      isShut = true;
      cut();
    },
    /** Cuts everything as soon as so many more have come. */
    cutAt(connections: number) {
      untilCut = connections;
    },
    open() {
      isShut = false;
    },
    async stop() {
      cut();
      await new Promise(done => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
