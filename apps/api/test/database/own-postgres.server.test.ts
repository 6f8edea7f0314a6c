import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { rightsOf, rightsPage } from '@fixpoint/dev-stack/rights.ts';
import { withDatabase } from '@fixpoint/postgres/address.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkRole } from '../../src/database/check.ts';
import { openShopDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { asCustomer } from '../../src/database/scope.ts';
import { ANNA, columnsOf, fill } from './two-customers.ts';

/**
 * The oldest supported version, as in Debian 12. `npm test` does not install it: Debian's package creates a cluster on port
 * 5432, and on Debian 13, which lacks version 15, apt-get would then install none of the other packages.
 */
const programs = '/usr/lib/postgresql/15/bin';
const absent = !existsSync(join(programs, 'postgres'));
if (absent)
  process.stderr.write('Nothing is tried on PostgreSQL 15. To try it: apt-get install postgresql-15\n');

const run = promisify(execFile);
const shop = fileURLToPath(new URL('../../../../scripts/shop.ts', import.meta.url));
/** PostgreSQL refuses to run as root. */
const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe.skipIf(absent)('on an operator’s PostgreSQL 15 (apt-get install postgresql-15)', () => {
  let folder: string;
  let port: number;
  let end: () => Promise<unknown>;
  /** A role that may create roles and databases but is no superuser, as managed servers offer. */
  const dba = (database = 'postgres') => `postgresql://dba:secret@127.0.0.1:${port}/${database}`;
  const superuser = (database = 'postgres') =>
    `postgresql://admin@127.0.0.1:${port}/${database}?host=${folder}`;

  const query = async (url: string, text: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const prepare = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [shop, 'database', 'prepare', dba(), ...args]);
    return stdout;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixpoint-own-'));
    if (as.uid) chownSync(folder, as.uid, as.gid);
    port = await freePort();
    const data = join(folder, 'data');
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'admin', '--auth-local=trust', '--auth-host=scram-sha-256', '--no-sync'],
      { cwd: folder, ...as },
    );
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-c', 'fsync=off', '-h', '127.0.0.1'],
      { cwd: folder, stdio: 'ignore', ...as },
    );
    const ended = new Promise(resolve => server.once('exit', resolve));
    end = () => {
      server.kill('SIGINT');
      return ended;
    };
    const make = "create role dba login createrole createdb password 'secret'";
    await until(() => query(superuser(), make).catch(() => undefined), 'PostgreSQL 15');
  });
  afterAll(async () => {
    await end?.();
    await rm(folder, { recursive: true, force: true });
  });

  test('one command prepares the database and prints the four lines that the shop needs', async () => {
    const env = parseEnv((await prepare()).split('\n\n')[1]!) as Record<string, string>;
    const { DATABASE_URL: owner, DATABASE_APP_URL: app, DATABASE_CUSTOMER_URL: customer } = env;
    await migrate(owner!);
    await checkRole(app!, 'fixpoint_app', 'DATABASE_APP_URL');
    await checkRole(customer!, 'fixpoint_customer', 'DATABASE_CUSTOMER_URL');
    await checkRole(env.DATABASE_MEMBER_URL!, 'fixpoint_member', 'DATABASE_MEMBER_URL');
    await expect(checkRole(owner!, 'fixpoint_app', 'DATABASE_APP_URL')).rejects.toThrow(
      'DATABASE_APP_URL logs in as fixpoint_owner, not as fixpoint_app. Run:\nnpm run shop -- database prepare',
    );
    const page = await readFile(new URL('../../../../docs/generated/rights.md', import.meta.url), 'utf8');
    expect(rightsPage(await rightsOf(superuser('fixpoint')))).toBe(page);
    // The preparing role is no member of the owner afterwards, and may not read the shop.
    await expect(query(dba('fixpoint'), 'select from customer')).rejects.toThrow(/permission denied/);
  });

  test('a second run gives the roles new passwords and keeps the database', async () => {
    const env = parseEnv((await prepare()).split('\n\n')[1]!) as Record<string, string>;
    await migrate(env.DATABASE_URL!);
    const admin = new Client({ connectionString: superuser('fixpoint') });
    await admin.connect();
    await fill(admin, await columnsOf(admin));
    await admin.end();
    const { db, close } = openShopDatabase({
      app: env.DATABASE_APP_URL!,
      customer: env.DATABASE_CUSTOMER_URL!,
      member: env.DATABASE_MEMBER_URL!,
    });
    const own = await asCustomer(ANNA, () => db.selectFrom('subscription').select('customer_id').execute());
    await close();
    expect(own).toEqual([{ customer_id: ANNA }]);
  });

  test('the printed statements do the same in psql', async () => {
    const script = await prepare('--print', '--name', 'second');
    const psql = run('psql', ['--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-d', dba()]);
    psql.child.stdin!.end(script);
    await psql;
    const lines = script
      .replace(/^-- /gm, '')
      .split('\n')
      .filter(line => line.startsWith('DATABASE_'));
    const env = parseEnv(lines.join('\n')) as Record<string, string>;
    await migrate(env.DATABASE_URL!);
    expect(rightsPage(await rightsOf(superuser('second')))).toBe(
      rightsPage(await rightsOf(superuser('fixpoint'))),
    );
  });

  test('a database whose server lacks a role of this version is not touched, and the error says how to create it', async () => {
    const { DATABASE_URL: owner = '' } = parseEnv((await prepare('--name', 'older')).split('\n\n')[1]!);
    await query(superuser(), 'alter role fixpoint_member rename to elsewhere');
    await expect(migrate(owner)).rejects.toThrow("create role fixpoint_member login password 'PASSWORD';");
    await query(superuser(), 'alter role elsewhere rename to fixpoint_member');
    await migrate(owner);
  });

  test('an error is one sentence that says what to do', async () => {
    const { DATABASE_APP_URL: app = '' } = parseEnv((await prepare()).split('\n\n')[1]!);
    const check = (url: string) => checkRole(url, 'fixpoint_app', 'DATABASE_APP_URL');
    const todo = /run:\nnpm run shop -- database prepare ADMIN_URL$/i;
    await expect(check(app.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow(todo);
    await expect(check(withDatabase(app, 'nowhere'))).rejects.toThrow(todo);
    await query(superuser(), 'alter role fixpoint_app bypassrls');
    await expect(check(app)).rejects.toThrow('fixpoint_app has too many rights');
    await query(superuser(), 'alter role fixpoint_app nobypassrls; grant fixpoint_owner to fixpoint_app');
    await expect(check(app)).rejects.toThrow('fixpoint_app has too many rights');
    await query(superuser(), 'revoke fixpoint_owner from fixpoint_app');
    await check(app);
  });

  test('the next start completes a start that was killed after it created the job queue’s tables', async () => {
    const { DATABASE_URL: owner = '' } = parseEnv((await prepare('--name', 'killed')).split('\n\n')[1]!);
    const ask = Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
    const killing = vi.spyOn(Client.prototype, 'query').mockImplementation(async function (
      this: Client,
      ...args: unknown[]
    ) {
      const answer = await ask.apply(this, args);
      if (String(args[0]).includes('pgboss.create_queue')) throw new Error('killed');
      return answer;
    } as never);
    await expect(migrate(owner)).rejects.toThrow('killed');
    killing.mockRestore();
    await migrate(owner);
    expect(rightsPage(await rightsOf(superuser('killed')))).toBe(
      rightsPage(await rightsOf(superuser('fixpoint'))),
    );
    const { rows } = await query(
      superuser('killed'),
      `select proname from pg_proc
       where pronamespace = 'pgboss'::regnamespace and not has_function_privilege('fixpoint_app', oid, 'execute')`,
    );
    expect(rows).toEqual([]);
  });

  test('FM11 a migration gives up on a table that another session locks, and says so', async () => {
    const { DATABASE_URL: owner = '' } = parseEnv((await prepare('--name', 'held')).split('\n\n')[1]!);
    await query(owner, 'create table migration (name text primary key, sha256 text not null)');
    const holder = new Client({ connectionString: owner });
    await holder.connect();
    await holder.query('begin; lock table migration in access exclusive mode');
    await expect(migrate(owner)).rejects.toThrow(
      'A migration waited 5s for a table that another session has locked',
    );
    await holder.query('rollback');
    await holder.end();
    await migrate(owner);
    await query(owner, "update migration set name = '0001_other.sql' where name = '0001_shop.sql'");
    await expect(migrate(owner)).rejects.toThrow(
      'The database was made by another version of Fixpoint (migration 0001_other.sql)',
    );
  });
});
