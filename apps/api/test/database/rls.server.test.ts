import { readFile } from 'node:fs/promises';
import { rightsOf, rightsPage } from '@fixpoint/dev-stack/rights.ts';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connected, INSUFFICIENT, runAndUndo } from './run-and-undo.ts';
import {
  ANNA,
  addressOf,
  BEN,
  insertion,
  NOBODY,
  type Owner,
  ownedByAddress,
  owners,
  rowFor,
} from './two-customers.ts';
import { openTwoCustomers } from './two-customers-rights.ts';

/** Whose a session is: the user’s, whichever customer it is for. */
const OF_USER = 'COALESCE(user_id, customer_id)';

type Opened = Awaited<ReturnType<typeof openTwoCustomers>>;
let database: Opened['database'];
let admin: Client;
let app: Client;
let anna: Client;
let tables: Opened['tables'];
let rightOf: Opened['rightOf'];
let columnsFor: Opened['columnsFor'];

beforeAll(async () => {
  ({ database, admin, tables, rightOf, columnsFor } = await openTwoCustomers());
  app = await connected(database.urls.app);
  anna = await connected(database.urls.customer);
  await anna.query("select set_config('app.customer', $1, false)", [ANNA]);
});
afterAll(async () => {
  for (const client of [admin, app, anna]) await client?.end();
  await database?.drop();
});

const ownerColumn = (table: string): string | undefined =>
  owners.includes(table)
    ? 'id'
    : ['customer_id', 'user_id'].find(owner => tables.get(table)!.some(({ name }) => name === owner));

/** Rows of a table that each role sees: the application all, Anna her own. */
async function visibleRows(table: string): Promise<Record<'app' | 'customer', number>> {
  const column = ownerColumn(table);
  const ofAnna = ownedByAddress.includes(table) ? `email = '${addressOf(ANNA)}'` : 'true';
  const { rows } = await admin.query(
    `select count(*)::int as app, count(*) filter (where ${column ? `${column} = '${ANNA}'` : ofAnna})::int as customer
     from "${table}"`,
  );
  return rows[0];
}

test('FS4 docs/generated/rights.md says what the database says', async () => {
  const page = await readFile(new URL('../../../../docs/generated/rights.md', import.meta.url), 'utf8');
  expect(rightsPage(await rightsOf(database.url)), 'npm run gen -- tables').toBe(page);
});

test('FS4 no role owns anything, may become another role or create anything', async () => {
  const { rows } = await admin.query(
    `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
       exists (select from pg_class where relowner = r.oid) or exists (select from pg_proc where proowner = r.oid) as owns,
       exists (select from pg_auth_members where member = r.oid) as joins
     from pg_roles r where rolname in ('fixpoint_app', 'fixpoint_customer', 'fixpoint_member') order by 1`,
  );
  const nothing = { mighty: false, owns: false, joins: false };
  expect(rows).toEqual([
    { rolname: 'fixpoint_app', ...nothing },
    { rolname: 'fixpoint_customer', ...nothing },
    { rolname: 'fixpoint_member', ...nothing },
  ]);
  const forbidden = [
    'create table mine ()',
    'create temporary table mine ()',
    'create schema mine',
    'create function mine() returns int language sql return 1',
    'create role mine',
    'drop table plan',
    'alter table customer disable row level security',
    'drop policy own on customer',
    'truncate limit_count',
    'truncate pgboss.job',
    'set role fixpoint_owner',
    'set session_replication_role = replica',
    "copy plan to '/tmp/mine'",
    "select pg_read_file('/etc/passwd')",
  ];
  const open: string[] = [];
  const member = await connected(database.urls.member);
  for (const [name, client] of Object.entries({ app, anna, member })) {
    for (const statement of forbidden) {
      // Temporary tables need a right on the database, which a copy of a template lacks.
      if (statement.includes('temporary')) await admin.query(noTemporary());
      const outcome = await runAndUndo(client, statement);
      if (outcome !== INSUFFICIENT) open.push(`${name}: ${statement}: ${outcome}`);
    }
  }
  await member.end();
  expect(open).toEqual([]);
});

const noTemporary = () => `revoke all on database "${new URL(database.url).pathname.slice(1)}" from public;
  grant connect on database "${new URL(database.url).pathname.slice(1)}" to fixpoint_app, fixpoint_customer, fixpoint_member`;

test('S30 one equality confines every table whose rows have an owner', async () => {
  const { rows } = await admin.query<{
    table: string;
    roles: string;
    qual: string;
    check: string;
    on: boolean;
  }>(
    `select p.tablename as table, p.roles::text as roles, p.qual, p.with_check as check, c.relrowsecurity as on
     from pg_policies p join pg_class c on c.oid = p.tablename::regclass where schemaname = 'public'`,
  );
  const open = [...tables.keys()].filter(table => {
    const column = ownerColumn(table);
    const own = rows.filter(row => row.table === table && row.roles === '{fixpoint_customer}');
    // Rows that a customer only writes are checked as they are written (`job_request`).
    const confined = own.every(({ qual, check }) =>
      qual === null
        ? check.startsWith(`((${column} = app_customer())`)
        : qual === `(${table === 'session' ? OF_USER : column} = app_customer())`,
    );
    return column && !(own.length === 1 && own[0]!.on && confined);
  });
  expect(open, 'enable row level security and create the policies `own` and `work` in a migration').toEqual(
    [],
  );
});

describe('S30 FS4 each statement on each table', () => {
  test('select: a customer sees their own rows and permitted columns, the application all', async () => {
    const wrong: string[] = [];
    for (const table of tables.keys()) {
      const own = columnsFor(table, 'customer', 'select');
      const rows = await visibleRows(table);
      const outcomes = {
        app: await runAndUndo(app, `select * from "${table}"`),
        anna: await runAndUndo(anna, `select ${own?.join(', ') ?? '*'} from "${table}"`),
        all: await runAndUndo(anna, `select * from "${table}"`),
      };
      const whole = rightOf(table, 'customer', 'select')?.columns === 'all';
      const expected = {
        app: columnsFor(table, 'app', 'select') ? rows.app : INSUFFICIENT,
        anna: own ? rows.customer : INSUFFICIENT,
        all: whole ? rows.customer : INSUFFICIENT,
      };
      if (JSON.stringify(outcomes) !== JSON.stringify(expected))
        wrong.push(`${table}: ${JSON.stringify({ outcomes, expected })}`);
    }
    expect(wrong).toEqual([]);
  });

  test('select: without a customer no row is visible', async () => {
    const stranger = await connected(database.urls.customer);
    const wrong: string[] = [];
    for (const table of tables.keys()) {
      const own = columnsFor(table, 'customer', 'select');
      if (!own || !ownerColumn(table)) continue;
      for (const customer of [undefined, '', 'cus_unknown']) {
        if (customer !== undefined)
          await stranger.query("select set_config('app.customer', $1, false)", [customer]);
        const seen = await runAndUndo(stranger, `select ${own.join(', ')} from "${table}"`);
        if (seen !== 0) wrong.push(`${table} as ${customer}: ${seen}`);
      }
    }
    await stranger.end();
    expect(wrong).toEqual([]);
  });

  test('insert: a customer inserts for themselves where permitted, never for another customer or for nobody', async () => {
    const wrong: string[] = [];
    for (const [table, columns] of tables) {
      for (const [role, client] of [
        ['app', app],
        ['customer', anna],
      ] as const) {
        const may = columnsFor(table, role, 'insert');
        for (const owner of [ANNA, BEN, NOBODY]) {
          const row = rowFor(table, may ? columns.filter(({ name }) => may.includes(name)) : columns, owner);
          const { text, values } = insertion(table, row);
          const outcome = await runAndUndo(client, text, values);
          const refused = !may || (role === 'customer' && owner !== ANNA);
          // A permitted statement may still violate a constraint (class 23), because a similar row exists.
          const right = refused ? outcome === INSUFFICIENT : outcome === 1 || /^23/.test(String(outcome));
          if (!right) wrong.push(`${role}: ${table} for ${owner}: ${outcome}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('update: a customer updates permitted columns, in their own rows only, and never the owner', async () => {
    const wrong: string[] = [];
    for (const [table, columns] of tables) {
      const rows = await visibleRows(table);
      for (const [role, client] of [
        ['app', app],
        ['customer', anna],
      ] as const) {
        const may = columnsFor(table, role, 'update') ?? [];
        for (const { name } of columns.filter(({ written }) => written)) {
          const outcome = await runAndUndo(client, `update "${table}" set ${name} = default`);
          const right = may.includes(name)
            ? outcome === rows[role] || /^23/.test(String(outcome))
            : outcome === INSUFFICIENT;
          if (!right) wrong.push(`${role}: ${table}.${name}: ${outcome}`);
        }
      }
      const column = ownerColumn(table);
      if (!column) continue;
      const given = await runAndUndo(anna, `update "${table}" set ${column} = $1`, [BEN]);
      if (given !== INSUFFICIENT) wrong.push(`given away: ${table}: ${given}`);
    }
    expect(wrong).toEqual([]);
  });

  test('delete: a customer deletes their own rows where permitted, the application where permitted', async () => {
    const wrong: string[] = [];
    for (const table of tables.keys()) {
      const rows = await visibleRows(table);
      for (const [role, client] of [
        ['app', app],
        ['customer', anna],
      ] as const) {
        const outcome = await runAndUndo(client, `delete from "${table}"`);
        const right = rightOf(table, role, 'delete')
          ? outcome === rows[role] || /^23/.test(String(outcome))
          : outcome === INSUFFICIENT;
        if (!right) wrong.push(`${role}: ${table}: ${outcome}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('FS4 jobs belong to the application alone: each statement on each table and sequence of their schema', async () => {
  const { rows } = await admin.query<{ name: string; kind: string }>(
    `select relname as name, relkind as kind from pg_class where relnamespace = 'pgboss'::regnamespace
     and relkind in ('r', 'p', 'v', 'S')`,
  );
  const wrong: string[] = [];
  for (const { name, kind } of rows) {
    const table = `pgboss."${name}"`;
    const statements =
      kind === 'S'
        ? [`select nextval('${table}')`]
        : [
            `select from ${table}`,
            `insert into ${table} default values`,
            `delete from ${table}`,
            `truncate ${table}`,
          ];
    if (kind !== 'S') {
      const { fields } = await admin.query(`select * from ${table} limit 0`);
      statements.push(...fields.map(field => `update ${table} set "${field.name}" = default`));
    }
    for (const statement of statements) {
      const customers = await runAndUndo(anna, statement);
      if (customers !== INSUFFICIENT) wrong.push(`customer: ${statement}: ${customers}`);
    }
    const apps = await runAndUndo(app, statements[0]!);
    if (typeof apps !== 'number') wrong.push(`app: ${statements[0]}: ${apps}`);
  }
  expect(rows.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});

test('FS4 a customer’s call requests an email of their own and no other job', async () => {
  const request = (name: string, data: object, customer: Owner = ANNA) =>
    runAndUndo(anna, 'insert into job_request (customer_id, name, data) values ($1, $2, $3)', [
      customer,
      name,
      data,
    ]);
  expect(await request('sendEmail', { template: 'receipt', customerId: ANNA })).toBe(1);
  expect(await request('sendEmail', { template: 'receipt', customerId: BEN })).toBe(INSUFFICIENT);
  expect(await request('sendEmail', { template: 'receipt' })).toBe(INSUFFICIENT);
  expect(await request('sendEmail', { template: 'receipt', customerId: BEN }, BEN)).toBe(INSUFFICIENT);
  expect(await request('fulfilOrder', { orderId: 'x' })).toBe(INSUFFICIENT);
  const challenge = async (owner: Owner) =>
    (await admin.query('select id from challenge where customer_id = $1', [owner])).rows[0].id as string;
  expect(await request('sendCode', { challengeId: await challenge(ANNA) })).toBe(1);
  expect(await request('sendCode', { challengeId: await challenge(BEN) })).toBe(INSUFFICIENT);
});

test('FS4 credit follows the ledger, and the application cannot write it otherwise', async () => {
  await app.query('begin');
  const book = "insert into ledger_entry values ('t', $1, $2, null, $3, 'USD', $4, now())";
  await app.query(book, [1, 'goodwill', null, 500]);
  await app.query(book, [2, 'credit', BEN, -500]);
  const { rows } = await app.query("select amount::int from account_credit where currency = 'USD'");
  await app.query('rollback');
  expect(rows).toEqual([{ amount: 500 }]);
});

test('FP1 a policy uses an index and is not evaluated for every row', async () => {
  await admin.query("set session_replication_role = 'replica'");
  await admin.query(
    `insert into session select 'ses_' || n, 'cus_' || n, ('\\x' || md5(n::text))::bytea, now(), ('\\x' || md5('r' || n))::bytea,
       null, now(), now(), now(), null, null, null, now(), now() from generate_series(1, 5000) n`,
  );
  await admin.query('analyze session');
  const { rows } = await anna.query('explain (costs off) select id from session');
  const plan = rows.map(row => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('session_of_user');
  expect(plan).not.toContain('app_customer');
});
