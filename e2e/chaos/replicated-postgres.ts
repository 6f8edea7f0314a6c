import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { withDatabase } from '@fixpoint/postgres/address.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import pg from 'pg';

const run = promisify(execFile);
const ADMIN = 'admin';

/** PostgreSQL refuses root. It ends with this process. */
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=KILL'];

/** A server of PostgreSQL. */
type Server = { port: number; process: ChildProcess };

/**
 * Starts two PostgreSQL as docs/operate/scaling.md sets them up: a primary that acknowledges a commit when its standby has it too.
 * @param programs folder of the programs of an installed PostgreSQL
 */
export async function startReplicatedPostgres(programs: string) {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-standby-'));
  const servers: Server[] = [];
  const at = (name: string) => join(folder, 'data', name);
  const program = (name: string, ...args: string[]) => [...asPostgres, join(programs, name), ...args];
  await chmod(folder, 0o711);
  await run('install', ['--directory', '--owner=postgres', '--mode=0700', at('')]);

  async function start(name: string): Promise<Server> {
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      wal_level: 'replica',
    };
    const options = Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
    const child = spawn('setpriv', program('postgres', '-D', at(name), ...options), {
      cwd: '/',
      stdio: 'ignore',
      // Of a group of its own, so that all of its processes can be killed at once.
      detached: true,
    });
    const server = { port, process: child };
    servers.push(server);
    await until(() => ask(port, 'select 1').then(Boolean, () => false), `${name} answers`);
    return server;
  }

  async function stop(): Promise<void> {
    for (const { process: child } of servers) await killAll(child);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await run('setpriv', program('initdb', '-D', at('primary'), `--username=${ADMIN}`, '--auth=trust'));
    const primary = await start('primary');
    const source = `host=127.0.0.1 port=${primary.port} user=${ADMIN} application_name=standby`;
    await run(
      'setpriv',
      program(
        'pg_basebackup',
        '-D',
        at('standby'),
        '--write-recovery-conf',
        '--checkpoint=fast',
        '-d',
        source,
      ),
    );
    const standby = await start('standby');
    await ask(primary.port, `alter system set synchronous_standby_names = 'standby'`);
    await ask(primary.port, 'select pg_reload_conf()');
    const isSynchronous = `select from pg_stat_replication where sync_state = 'sync'`;
    await until(async () => (await ask(primary.port, isSynchronous)) > 0, 'a synchronous standby');
    return {
      primary,
      standby,
      /** Kills the primary with all of its processes, as the end of its machine does. */
      killPrimary: () => killAll(primary.process),
      /** Makes the standby the primary. */
      promote: () => ask(standby.port, 'select pg_promote()'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Address of the superuser in a database. */
export const adminUrl = (port: number, database: string): string =>
  withDatabase(`postgresql://${ADMIN}@127.0.0.1:${port}/postgres`, database);

/** Asks as the superuser. @returns the number of rows */
async function ask(port: number, statement: string): Promise<number> {
  const client = new pg.Client(adminUrl(port, 'postgres'));
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

async function killAll(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
}
