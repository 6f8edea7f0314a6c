import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';
import { isAlive } from './server.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const nobody = 65_534;
/** The first user ID that no account has. */
const own = 60_600;
const program = fileURLToPath(new URL('./testing/run-postgres.ts', import.meta.url));

/**
 * Whether another user can run this checkout's programs; below a home of mode 0700 nobody else can.
 */
const othersMayRun = [dirname(program), process.execPath].every(mayEnter);

function mayEnter(path: string): boolean {
  return path === '/' || ((statSync(path).mode & 0o001) !== 0 && mayEnter(dirname(path)));
}

/**
 * A data folder that was used before. Most tests copy it, because creating a cluster takes seconds.
 */
let used: string;

/** Nested folders of mode 0700, which an unprivileged server may not enter. */
let dataDir: string;
let running: Postgres[];
let children: ChildProcess[];

beforeAll(async () => {
  used = join(await mkdtemp(join(tmpdir(), 'fixpoint-pg-')), 'data');
  await (await startPostgres({ dataDir: used, durable: false })).stop();
});

afterAll(() => rm(join(used, '..'), { recursive: true }));

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'fixpoint pg-')), 'the data');
  running = [];
  children = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  for (const child of children) child.kill('SIGKILL');
  await delay(100);
  await rm(join(dataDir, '..'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function copyUsed(): void {
  execFileSync('cp', ['-a', used, dataDir]);
}

async function start(folder = dataDir): Promise<Postgres> {
  // Durable as in production: a killed server must not lose confirmed data.
  const server = await startPostgres({ dataDir: folder });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client.query(sql).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async error => {
      await client.end().catch(() => {});
      throw error;
    },
  );
}

async function until<T>(what: () => Promise<T | undefined | false>): Promise<T> {
  const limit = 60_000;
  const end = performance.now() + limit;
  for (;;) {
    const value = await what().catch(() => undefined);
    if (value) return value;
    if (performance.now() > end) throw new Error(`not within ${limit} ms: ${what}`);
    await delay(50);
  }
}

/** `startPostgres` in another process, perhaps of another user. */
async function supervisor(
  uid?: number,
): Promise<{ child: ChildProcess; url?: string; pid?: number; error?: string }> {
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout! })) return { child, ...JSON.parse(line) };
  throw new Error('the supervisor said nothing');
}

/** The process that stops the server when its supervisor dies. */
async function watcherOf(server: number): Promise<number> {
  const folder = await readlink(`/proc/${server}/cwd`);
  for (const name of await readdir('/proc')) {
    const at = await readlink(`/proc/${name}/cwd`).catch(() => '');
    const comm = await readFile(`/proc/${name}/comm`, 'utf8').catch(() => '');
    if (at === folder && comm.trim() === 'sh') return Number(name);
  }
  throw new Error('no watcher');
}

test('serves a database below folders that nobody else may enter, by socket only', async () => {
  const { adminUrl: url } = await start();
  const [row] = await query(
    url,
    `SELECT current_database() AS name, current_setting('listen_addresses') AS tcp,
            current_setting('data_checksums') AS checksums, datcollate AS locale, pg_encoding_to_char(encoding) AS encoding
     FROM pg_database WHERE datname = current_database()`,
  );
  expect(row).toEqual({ name: 'fixpoint', tcp: '', checksums: 'on', locale: 'C', encoding: 'UTF8' });
  expect((await stat(join(dataDir, '..'))).mode & 0o777).toBe(0o700);
});

test('keeps its data between starts', async () => {
  copyUsed();
  const first = await start();
  await query(first.adminUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const second = await start();
  expect(await query(second.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('stops although a client is connected', async () => {
  copyUsed();
  const { adminUrl: url, stop, pid } = await start();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await stop();
  expect(isAlive(pid)).toBe(false);
});

test('reaches a socket whose path is too long for an address', async () => {
  const { adminUrl: url } = await start(join(dataDir, 'x'.repeat(120), 'y'.repeat(60)));
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('refuses a second start on the same folder without disturbing the first', async () => {
  copyUsed();
  const { adminUrl: url, pid } = await start();
  const second = await supervisor();
  expect(second.error).toContain('is in use by another running Fixpoint');
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(isAlive(pid)).toBe(true);
});

test('exactly one of many simultaneous starts wins', async () => {
  const starts = await Promise.all([supervisor(), supervisor(), supervisor(), supervisor()]);
  const winners = starts.filter(({ url }) => url);
  expect(winners).toHaveLength(1);
  for (const { error } of starts) if (error) expect(error).toContain('is in use');
  expect(await query(winners[0]!.url!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('restarts a killed server with everything that was committed', async () => {
  copyUsed();
  const server = await start();
  await query(server.adminUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const before = server.pid;
  process.kill(before, 'SIGKILL');
  const rows = await until(() => query(server.adminUrl, 'SELECT answer FROM kept'));
  expect(rows).toEqual([{ answer: 42 }]);
  expect(server.pid).not.toBe(before);
});

test('keeps its lock on the folder after an administrator terminated its session', async () => {
  copyUsed();
  const { adminUrl: url } = await start();
  const ended = await query(
    url,
    "SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE application_name = 'supervisor'",
  );
  expect(ended).toEqual([{ ended: true }]);
  await delay(2_000);
  expect((await supervisor()).error).toContain('is in use');
});

test('stops when its supervisor is killed', async () => {
  copyUsed();
  const { child, pid } = await supervisor();
  child.kill('SIGKILL');
  await until(async () => !isAlive(pid!));
});

test.runIf(isLinux)('takes over after a crash that left the server running', async () => {
  copyUsed();
  const { child, url, pid } = await supervisor();
  await query(url!, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(await watcherOf(pid!), 'SIGKILL');
  child.kill('SIGKILL');
  await delay(200);
  expect(isAlive(pid!)).toBe(true);
  const server = await start();
  expect(server.pid).not.toBe(pid);
  expect(await query(server.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test.runIf(isLinux)('ignores a lock file that names another program', async () => {
  copyUsed();
  await (await start()).stop();
  const file = join(dataDir, 'postgres/cluster/postmaster.pid');
  await writeFile(file, `${process.pid}\n/proc/self/cwd\n`, { mode: 0o600 });
  expect(await query((await start()).adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.runIf(isLinux)('FO11 a copy of a folder in use starts beside it without disturbing it', async () => {
  copyUsed();
  const original = await start();
  const copy = `${dataDir} copied`;
  execFileSync('cp', ['-a', dataDir, copy]);
  const other = await start(copy);
  expect(other.pid).not.toBe(original.pid);
  for (const server of [original, other]) expect(await query(server.adminUrl, 'SELECT 1')).toHaveLength(1);
});

test('an incomplete cluster is not used', async () => {
  const left = join(dataDir, 'postgres/cluster.part-abandoned');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'PG_VERSION'), '18\n');
  expect(await query((await start()).adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot && othersMayRun)(
  'FO11 as root: the files are private, and another user is told what to do (needs root: sudo npm test)',
  async () => {
    copyUsed();
    await (await start()).stop();
    expect((await stat(join(dataDir, 'postgres/cluster'))).uid).toBe(own);
    await chmod(join(dataDir, '..'), 0o755);
    await chmod(dataDir, 0o755);
    const { error } = await supervisor(1);
    expect(error).toMatch(/postgres belongs to user 60600.*sudo npm start.*sudo chown.*set DATA_DIR/);
  },
);

test.runIf(isRoot && othersMayRun)(
  'as an ordinary user: works, and root continues with the same files (needs root: sudo npm test)',
  async () => {
    await mkdir(dataDir);
    await chmod(join(dataDir, '..'), 0o755);
    await chown(dataDir, nobody, nobody);
    const { child, url, error } = await supervisor(nobody);
    expect(error).toBeUndefined();
    await query(url!, 'CREATE TABLE kept AS SELECT 42 AS answer');
    child.kill('SIGTERM');
    await new Promise(resolve => child.once('exit', resolve));
    const first = await start();
    expect(await query(first.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await first.stop();
    // If the server of the ordinary user still ran at the first start, its files get their own user at the next one.
    expect(await query((await start()).adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect((await stat(join(dataDir, 'postgres/cluster'))).uid).toBe(own);
  },
);

test.runIf(isRoot && isLinux)(
  'SE6 as root: another process of `nobody` reaches neither files nor socket through /proc (needs root: sudo npm test)',
  async () => {
    copyUsed();
    const { pid } = await start();
    const reach = (path: string) =>
      spawnSync('/bin/ls', [`/proc/${pid}/cwd/${path}`], { uid: nobody, gid: nobody, cwd: '/' }).status;
    for (const path of ['', '../run', '../run/.s.PGSQL.5432']) expect(reach(path), path).not.toBe(0);
    expect((await stat(`/proc/${pid}`)).uid).toBe(own);
  },
);
