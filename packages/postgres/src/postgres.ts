import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { database, shortened, superuser, urlOf, withDatabase } from './address.ts';
import { type Cluster, DataDirError, openCluster } from './cluster.ts';
import { prepareDatabase } from './prepare.ts';
import { programFolder } from './programs.ts';
import { type DatabaseUrls, urlsFor } from './roles.ts';
import { isAlive, launch, orphanOf, type Server, shutDown } from './server.ts';

const ORPHAN_TIMEOUT_MS = 20_000; // for the remains of a crashed server to go away
const lockKey = 4_617_315_517_961_601; // arbitrary: nobody else takes advisory locks in the database `postgres`

/** Major version of the embedded PostgreSQL. */
export const EMBEDDED = 18;

/** Folder of the server, and how careful it is with its data. */
export interface PostgresOptions {
  dataDir: string;
  /** False only for throwaway data: a crash of the machine may then destroy it. */
  durable?: boolean;
  log?: (line: string) => void;
  /** Folder and major version of an installed PostgreSQL, instead of the embedded one. */
  programs?: { folder: string; major: number } | undefined;
}

/** A supervised PostgreSQL on a unix socket. */
export interface Postgres {
  /** Connection strings of the database `fixpoint` for each role, for `pg`. */
  urls: DatabaseUrls;
  /** The superuser's connection string for the same database. Never used by the shop. */
  adminUrl: string;
  /** Process id of the server; changes with a restart. */
  readonly pid: number;
  /** Clean shutdown: disconnects clients and writes everything to disk. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with its data in `dataDir/postgres`, creates the shop's roles and database, and
 * restarts the server when it dies. The server stops when this process ends, even by kill -9.
 *
 * An advisory lock inside the server decides who may use the data. It ends with its holder, so a
 * server that nobody has locked is the remains of a crash and is stopped, and no stale lock can
 * block a start.
 *
 * @throws DataDirError if the folder is in use or belongs to another user
 */
export async function startPostgres({
  dataDir,
  durable = true,
  log = () => {},
  programs: given,
}: PostgresOptions): Promise<Postgres> {
  const programs = given?.folder ?? (await programFolder(process.getuid?.() === 0));
  const cluster = await openCluster(
    dataDir,
    { folder: programs, major: given?.major ?? EMBEDDED },
    durable,
    orphanOf,
  );
  const way = await shortened(cluster.run, '.s.PGSQL.5432');
  const url = urlOf(way.folder);
  const adminUrl = `${url}&user=${superuser}`;
  const maintenance = withDatabase(adminUrl, 'postgres');
  const settings: Record<string, string> = durable
    ? {}
    : {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        // A shop uses up to thirty, and several shops of the tests share a server.
        max_connections: '300',
      };

  let stopping = false;
  let server: Server;
  let lock: pg.Client;

  async function boot(): Promise<void> {
    const deadline = Date.now() + ORPHAN_TIMEOUT_MS;
    for (;;) {
      await clearOrphan(cluster, maintenance, dataDir, deadline);
      server = launch(cluster, programs, settings, log);
      const lockSession = await untilReady(server, maintenance);
      if (lockSession === 'taken') {
        await shutDown(server);
        throw inUse(dataDir);
      }
      if (lockSession && !hasEnded(server)) {
        lock = lockSession;
        return;
      }
      await lockSession?.end();
      // Processes of a crashed server need a moment to notice; until then its shared memory is in
      // use.
      if (Date.now() > deadline || stopping)
        throw new Error(`PostgreSQL does not start:\n${server.lastLines()}`);
      await delay(250);
    }
  }

  async function supervise(): Promise<void> {
    while (!stopping) {
      await Promise.race([server.ended, lostConnection(lock)]);
      if (stopping) return;
      if (!hasEnded(server)) {
        await delay(500); // Only the session was terminated, or the server is about to end.
        const again = hasEnded(server) ? undefined : await takeLock(maintenance).catch(() => undefined);
        if (again && again !== 'taken') lock = again;
        continue;
      }
      log(`PostgreSQL ended unexpectedly and is started again. Its last lines:\n${server.lastLines()}`);
      await boot().catch(error => log(String(error)));
    }
  }

  try {
    await boot();
    await prepareDatabase(maintenance, database);
  } catch (error) {
    await way.release();
    throw error;
  }
  const supervision = supervise();

  return {
    urls: urlsFor(url),
    adminUrl,
    get pid() {
      return server.child.pid ?? 0;
    },
    async stop() {
      stopping = true;
      await lock.end().catch(() => {});
      await shutDown(server);
      await supervision;
      await way.release();
    },
  };
}

function hasEnded({ child }: Server): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function inUse(dataDir: string): DataDirError {
  return new DataDirError(
    `${dataDir} is in use by another running Fixpoint. Stop that one, or choose another DATA_DIR.`,
  );
}

/**
 * Stops a server without a supervisor. Its data is complete, because this is the usual clean
 * shutdown.
 */
async function clearOrphan(cluster: Cluster, url: string, dataDir: string, deadline: number): Promise<void> {
  for (;;) {
    const pid = await orphanOf(cluster);
    if (pid === undefined) return;
    const session = await takeLock(url).catch(() => undefined);
    if (session === 'taken') throw inUse(dataDir);
    if (session) {
      await session.end();
      process.kill(pid, 'SIGINT');
      while (isAlive(pid) && Date.now() < deadline) await delay(50);
    } else if (Date.now() > deadline) {
      throw new DataDirError(
        `An earlier PostgreSQL (process ${pid}) still uses ${dataDir} and does not answer. Stop it:\nkill -INT ${pid}`,
      );
    } else {
      await delay(250);
    }
  }
}

/**
 * The session that holds the lock, 'taken', or undefined if the server ended before it was ready.
 */
async function untilReady(server: Server, url: string): Promise<pg.Client | 'taken' | undefined> {
  while (!hasEnded(server)) {
    const session = await takeLock(url).catch(() => undefined); // recovery after a crash may take minutes
    if (session) return session;
    await Promise.race([server.ended, delay(30)]);
  }
  return undefined;
}

/** @throws if the server does not answer */
async function takeLock(url: string): Promise<pg.Client | 'taken'> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    application_name: 'supervisor',
  });
  client.on('error', () => {}); // a cut connection is noticed by its `end` event
  try {
    await client.connect();
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      lockKey,
    ]);
    if (rows[0]?.locked) return client;
    await client.end();
    return 'taken';
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

function lostConnection(client: pg.Client): Promise<void> {
  return new Promise(resolve => client.once('end', () => resolve()));
}
