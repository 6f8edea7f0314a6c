import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlsFor } from '@fixpoint/postgres/roles.ts';

const SOCKET = '.s.PGSQL.5432';

/** A way to a PostgreSQL socket that can be shut: what is connected is cut, what knocks is turned away. */
export async function startGate(url: string) {
  const through = new URL(url);
  const behind = join(through.searchParams.get('host')!, SOCKET);
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-gate-'));
  const open = new Set<Socket>();
  let isShut = false;
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
  });
  await new Promise<void>(done => server.listen(join(folder, SOCKET), done));
  through.searchParams.set('host', folder);
  return {
    /** The same database through the gate; the test itself goes round it. */
    database: { url, urls: urlsFor(through.href) },
    shut() {
      isShut = true;
      for (const socket of open) socket.destroy();
    },
    open() {
      isShut = false;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise(done => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
