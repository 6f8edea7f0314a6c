import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { migrateAsBefore } from '@fixpoint/testkit/older-database.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { MIGRATIONS } from '../../src/database/migration-files.ts';
import { otherNodes, startHeartbeat, thisNode, VERSION } from '../../src/database/nodes.ts';
import { type Backfill, runBackfills } from '../../src/jobs/backfill.ts';
import { createLogger } from '../../src/log/logger.ts';
import { runCommand } from '../helpers/shop-command.ts';

/** Two versions on one database: this one, and a made-up later one with more files. */
let database: TestDatabase;
let client: Client;
let later: string;
const logged: string[] = [];
const log = createLogger('warn', { write: line => void logged.push(line) });
const LATER = { id: 'later-1', role: 'api', version: '99.0.0' };

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  later = await mkdtemp(join(tmpdir(), 'fixpoint-later-'));
  await cp(MIGRATIONS, later, { recursive: true });
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
  await rm(later, { recursive: true, force: true });
});

const add = (name: string, sql: string) => writeFile(join(later, name), sql);
const migrateLater = () =>
  migrate(database.urls.owner, { node: LATER, folder: pathToFileURL(`${later}/`), log });
const migrateThis = () => migrate(database.urls.owner, { log });
const rowsOf = async (sql: string) => (await client.query(sql)).rows;
const command = () =>
  runCommand(databaseSettings(database.urls), 'alerts').then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }) => ({ code: Number(code), said: String(stderr) }),
  );

test("this version starts beside an expand file that it does not know and logs the file's name; a command runs", async () => {
  // As a version before 0.2.0 left it: without the column and the later files.
  await migrateAsBefore(client, database.urls.owner, name => name < '0004');
  await client.query('alter table migration drop column kind');
  await add('0097_more.sql', '-- expand\ncreate table more (id text);\n');
  await migrateLater();
  expect(await rowsOf("select name, kind from migration where name > '0003' order by name")).toEqual([
    { name: '0003_own_addresses.sql', kind: 'contract' },
    { name: '0004_two_versions.sql', kind: 'expand' },
    { name: '0005_free_address.sql', kind: 'expand' },
    { name: '0006_standard_names.sql', kind: 'contract' },
    { name: '0008_keys_on_hosts.sql', kind: 'expand' },
    { name: '0013_late_work.sql', kind: 'expand' },
    { name: '0014_vat_by_day.sql', kind: 'expand' },
    { name: '0015_gateway_movements.sql', kind: 'expand' },
    { name: '0016_ends_of_refunds.sql', kind: 'expand' },
    { name: '0018_first_email.sql', kind: 'expand' },
    { name: '0019_labels.sql', kind: 'expand' },
    { name: '0020_emails_of_a_day.sql', kind: 'expand' },
    { name: '0021_place_notices.sql', kind: 'expand' },
    { name: '0022_operations.sql', kind: 'expand' },
    { name: '0023_suspensions.sql', kind: 'expand' },
    { name: '0024_alert_deliveries.sql', kind: 'expand' },
    { name: '0026_backups.sql', kind: 'expand' },
    { name: '0027_health.sql', kind: 'expand' },
    { name: '0029_buyer_details.sql', kind: 'expand' },
    { name: '0030_invoice_replacements.sql', kind: 'expand' },
    { name: '0031_allow_list.sql', kind: 'expand' },
    { name: '0032_users.sql', kind: 'expand' },
    { name: '0033_invitations.sql', kind: 'expand' },
    { name: '0034_names.sql', kind: 'expand' },
    { name: '0035_sessions_of_users.sql', kind: 'expand' },
    { name: '0036_email_change.sql', kind: 'expand' },
    { name: '0037_devices_of_users.sql', kind: 'expand' },
    { name: '0038_status_days.sql', kind: 'expand' },
    { name: '0042_size.sql', kind: 'expand' },
    { name: '0043_members.sql', kind: 'expand' },
    { name: '0044_people_of_customer.sql', kind: 'expand' },
    { name: '0045_legal_wordings.sql', kind: 'expand' },
    { name: '0048_founders.sql', kind: 'expand' },
    { name: '0051_devices_of_colleagues.sql', kind: 'expand' },
    { name: '0052_devices_of_user.sql', kind: 'expand' },
    { name: '0053_beside_older_nodes.sql', kind: 'expand' },
    { name: '0054_users_apart.sql', kind: 'contract' },
    { name: '0055_invited_addresses.sql', kind: 'expand' },
    { name: '0097_more.sql', kind: 'expand' },
  ]);
  await migrateThis();
  expect(logged).toEqual([expect.stringContaining('"migrations":["0097_more.sql"]')]);
  expect(await command()).toMatchObject({ code: 0 });
});

test('a contract file waits for its backfill and for nodes of another version, and names them', async () => {
  await add('0098_less.sql', '-- contract after more\ndrop table more;\n');
  await client.query("insert into node values ('shop1-7', 'worker', $1, now() - interval '50 s')", [VERSION]);
  await expect(migrateLater()).rejects.toThrow(
    new RegExp(
      `\\(0098_less\\.sql\\) removes what another version uses, .* run: shop1-7 \\(worker, version ${VERSION}, seen 5\\d s ago\\)\\. Stop them`,
    ),
  );
  // A node is gone a minute after it was last seen.
  await client.query("update node set seen_at = now() - interval '61 s' where id = 'shop1-7'");
  await expect(migrateLater()).rejects.toThrow('the backfill more has not moved yet');
  expect(await rowsOf('select from more')).toEqual([]);
  await client.query("insert into backfill (name, done_at) values ('more', now())");
  await migrateLater();
  expect(await rowsOf("select to_regclass('more') as gone")).toEqual([{ gone: null }]);
});

test('a contract file that may come later holds up no start and no command, and waits for nodes of another version', async () => {
  await add('0099_later.sql', '-- contract later\ncreate table tight ();\n');
  await client.query("insert into node values ('shop1-8', 'api', $1, now())", [VERSION]);
  logged.length = 0;
  expect(await migrateLater()).toEqual(['0099_later.sql']);
  expect(logged.join()).toMatch(/"migrations":\["0099_later\.sql"\],"nodes":\["shop1-8 \(api, /);
  await client.query("delete from node where id = 'shop1-8'");
  expect(await migrateLater()).toEqual([]);
  expect(await rowsOf("select kind from migration where name = '0099_later.sql'")).toEqual([
    { kind: 'contract' },
  ]);
  await client.query("delete from migration where name = '0099_later.sql'; drop table tight");
  await rm(join(later, '0099_later.sql'));
});

test('an unknown contract file, different content and newer queue tables stop a start and a command', async () => {
  const foreign = 'The database was made by another version of Fixpoint (migration 0098_less.sql)';
  await expect(migrateThis()).rejects.toThrow(foreign);
  expect(await command()).toEqual({ code: 69, said: expect.stringContaining(foreign) });
  await client.query("delete from migration where name > '0097'");
  await client.query("update migration set sha256 = 'other' where name = '0001_shop.sql'");
  await expect(migrateThis()).rejects.toThrow('(migration 0001_shop.sql)');
  await client.query('update pgboss.version set version = version + 1');
  await expect(migrateThis()).rejects.toThrow('(migration 0001_shop.sql, the job queue)');
});

test('a running node refreshes its row and deletes old ones; a node that stops deletes its row', async () => {
  await client.query("insert into node values ('crashed', 'api', '0.1.0', now() - interval '2 h')");
  const { db, close } = openDatabase(database.urls.app);
  const node = thisNode('worker');
  const seen = startHeartbeat(db, node, log, 10);
  const own = `select role, version from node where id = '${node.id}'`;
  await expect.poll(() => rowsOf(own)).toEqual([{ role: 'worker', version: VERSION }]);
  await client.query('update node set seen_at = $1 where id = $2', [new Date(0), node.id]);
  await expect
    .poll(() => rowsOf(`select from node where id = '${node.id}' and seen_at > now() - interval '1 minute'`))
    .toHaveLength(1);
  await seen.stop();
  await close();
  expect(await rowsOf(own)).toEqual([]);
  expect(await rowsOf("select from node where id = 'crashed'")).toEqual([]);
});

test('a backfill continues after its last batch, finishes once, and runs again after nodes that write the old shape', async () => {
  await client.query('delete from node');
  await client.query('create table moving (id int, old text, new text)');
  await client.query('grant all on moving to fixpoint_app');
  await client.query("insert into moving select n, 'v' || n from generate_series(1, 5) n");
  const { db, close } = openDatabase(database.urls.app);
  const asked: string[] = [];
  let fails = true;
  const backfills: Backfill[] = [
    {
      name: 'made_up',
      async move(tx, place) {
        asked.push(place);
        const { rows } = await sql<{ id: number }>`update moving set new = old where id in
          (select id from moving where id > ${Number(place)} order by id limit 2) returning id`.execute(tx);
        if (place === '2' && fails) throw new Error('cut off');
        const last = Math.max(...rows.map(({ id }) => id));
        return rows.length > 0 ? { place: `${last}`, moved: rows.length } : undefined;
      },
    },
  ];
  const run = () => runBackfills({ db, otherNodes, backfills });
  await expect(run()).rejects.toThrow('cut off');
  expect(await rowsOf('select id from moving where new = old order by id')).toEqual([{ id: 1 }, { id: 2 }]);
  fails = false;
  await run();
  await run();
  expect(asked).toEqual(['', '2', '2', '4', '5']);
  expect(await rowsOf('select from moving where new = old')).toHaveLength(5);
  const progress = "select place, moved, done_at is not null as done from backfill where name = 'made_up'";
  expect(await rowsOf(progress)).toEqual([{ place: '5', moved: '5', done: true }]);

  // A node of the previous version writes a row of the old shape, which is moved once the node is gone.
  await client.query("insert into node values ('before', 'api', '0.1.0', now())");
  await client.query("insert into moving values (1, 'late')");
  await run();
  expect(await rowsOf(progress)).toEqual([{ place: '', moved: '0', done: false }]);
  await client.query('delete from node');
  await run();
  expect(await rowsOf('select from moving where new = old')).toHaveLength(6);
  await close();
});

test('a command on a database without migrations names the missing ones, exits with 69 and changes nothing', async () => {
  await client.query('drop schema pgboss cascade; drop schema public cascade');
  await client.query('create schema public authorization fixpoint_owner');
  expect(await command()).toEqual({
    code: 69,
    said: expect.stringMatching(/lacks migrations .*\(0001_shop\.sql, .*, the job queue\).* Start the shop/),
  });
  expect(await rowsOf("select from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
  // A first start has nothing to move and waits for no backfill.
  await migrateLater();
  expect(await rowsOf("select name from migration where name > '0097' order by name")).toHaveLength(2);
});
