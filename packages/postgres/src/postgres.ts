import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { database, shortened, superuser, urlOf, withDatabase } from './address.ts';
import { type Cluster, DataDirError, openCluster } from './cluster.ts';
import { prepareDatabase } from './prepare.ts';
import { programFolder } from './programs.ts';
import { type DatabaseUrls, urlsFor } from './roles.ts';
import { isAlive, launch, orphanOf, type Server, shutDown } from './server.ts';

const patience = 20_000; // ms for what a crashed server left behind to go away
const lockKey = 4_617_315_517_961_601; // any number: nobody else takes advisory locks in the database `postgres`

/** Where the server keeps its files, and how careful it is with them. */
export interface PostgresOptions {
  dataDir: string;
  /** False only for throwaway data: a crash of the machine may then destroy it. */
  durable?: boolean;
  log?: (line: string) => void;
}

/** A supervised PostgreSQL 18 on a unix socket. */
export interface Postgres {
  /** The database `fixpoint` as each who logs in there reaches it, for `pg`. */
  urls: DatabaseUrls;
  /** The superuser's way into the same database. Never the shop's. */
  adminUrl: string;
  /** Process id of the server; another one after a restart. */
  readonly pid: number;
  /** Clean shutdown: clients are cut, everything is on the disk. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with its data in `dataDir/postgres`, makes the roles and the database of the shop, and restarts the server
 * whenever it dies. The server ends when this process ends, also by kill -9.
 *
 * Who may use the data is decided by a lock inside the server: it ends with its holder, whatever happens to it,
 * so a server that nobody holds is the left-over of a crash and is stopped, and nothing stale can refuse a start.
 *
 * @throws DataDirError when the folder is in use or belongs to another user.
 */
export async function startPostgres({
  dataDir,
  durable = true,
  log = () => {},
}: PostgresOptions): Promise<Postgres> {
  const programs = await programFolder(process.getuid?.() === 0);
  const cluster = await openCluster(dataDir, programs, durable);
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
        // A shop takes up to thirty, and the tests of several run on the same server.
        max_connections: '300',
      };

  let stopping = false;
  let server: Server;
  let lock: pg.Client;

  async function boot(): Promise<void> {
    const deadline = Date.now() + patience;
    for (;;) {
      await clearOrphan(cluster, maintenance, dataDir, deadline);
      server = launch(cluster, programs, settings, log);
      const held = await untilReady(server, maintenance);
      if (held === 'taken') {
        await shutDown(server);
        throw inUse(dataDir);
      }
      if (held && !hasEnded(server)) {
        lock = held;
        return;
      }
      await held?.end();
      // Sessions of a crashed server need a moment to notice; its memory is in use until then.
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
        await delay(500); // The session alone was ended, or the server is just about to end.
        const again = hasEnded(server) ? undefined : await takeLock(maintenance).catch(() => undefined);
        if (again && again !== 'taken') lock = again;
        continue;
      }
      log(`PostgreSQL ended unexpectedly; starting it again. Its last words:\n${server.lastLines()}`);
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

/** Stops a server whose supervisor is gone. Its data is whole: it is the same clean shutdown as ever. */
async function clearOrphan(cluster: Cluster, url: string, dataDir: string, deadline: number): Promise<void> {
  for (;;) {
    const pid = await orphanOf(cluster);
    if (pid === undefined) return;
    const held = await takeLock(url).catch(() => undefined);
    if (held === 'taken') throw inUse(dataDir);
    if (held) {
      await held.end();
      process.kill(pid, 'SIGINT');
      while (isAlive(pid) && Date.now() < deadline) await delay(50);
    } else if (Date.now() > deadline) {
      throw new DataDirError(
        `An earlier PostgreSQL (process ${pid}) still holds ${dataDir} and does not answer. End it: kill -INT ${pid}`,
      );
    } else {
      await delay(250);
    }
  }
}

/** The lock's session, 'taken', or undefined when the server ended instead of getting ready. */
async function untilReady(server: Server, url: string): Promise<pg.Client | 'taken' | undefined> {
  while (!hasEnded(server)) {
    const held = await takeLock(url).catch(() => undefined); // recovery after a crash may take minutes
    if (held) return held;
    await Promise.race([server.ended, delay(30)]);
  }
  return undefined;
}

/** @throws when the server does not answer. */
async function takeLock(url: string): Promise<pg.Client | 'taken'> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    application_name: 'supervisor',
  });
  client.on('error', () => {}); // a cut connection is noticed by its end
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
