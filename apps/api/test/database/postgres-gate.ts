import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlsFor } from '@fixpoint/postgres/roles.ts';

const SOCKET = '.s.PGSQL.5432';

/** Proxy to a PostgreSQL socket that can be closed or frozen. */
export async function startGate(url: string) {
  const through = new URL(url);
  const behind = join(through.searchParams.get('host')!, SOCKET);
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-gate-'));
  const open = new Map<Socket, Socket>();
  let isShut = false;
  let isFrozen = false;
  let untilCut = 0;
  const flow = (outer: Socket, inner: Socket) => outer.pipe(inner).pipe(outer);
  const cut = () => {
    for (const socket of open.keys()) socket.destroy();
  };
  const server = createServer(outer => {
    if (isShut) return void outer.destroy();
    const inner = connect(behind);
    open.set(outer, inner);
    for (const end of [outer, inner]) end.on('error', () => end.destroy());
    if (!isFrozen) flow(outer, inner);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => {
      inner.destroy();
      open.delete(outer);
    });
    untilCut -= 1;
    if (untilCut === 0) cut();
  });
  await new Promise<void>(done => server.listen(join(folder, SOCKET), done));
  through.searchParams.set('host', folder);
  return {
    /** The same database through the proxy; the test itself connects directly. */
    database: { url, urls: urlsFor(through.href) },
    /** Cuts open connections and refuses new ones. */
    shut() {
      isShut = true;
      cut();
    },
    /** Stops answering on open and new connections. */
    freeze() {
      isFrozen = true;
      for (const [outer, inner] of open) {
        outer.unpipe(inner);
        inner.unpipe(outer);
      }
    },
    /** Cuts everything as soon as this many more connections have been opened. */
    cutAt(connections: number) {
      untilCut = connections;
    },
    open() {
      if (isFrozen) for (const [outer, inner] of open) flow(outer, inner);
      isShut = false;
      isFrozen = false;
    },
    async stop() {
      cut();
      await new Promise(done => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
