import type { Verb } from '@fixpoint/dev-stack/rights.ts';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connected, INSUFFICIENT, runAndUndo } from './run-and-undo.ts';
import { ANNA, BEN, insertion, type Row, rowFor } from './two-customers.ts';
import { openTwoCustomers } from './two-customers-rights.ts';

/** Mia and Zoe are members of Anna's customer. Mia is one of Ben's, too. */
const [MIA, ZOE] = ['usr_mia', 'usr_zoe'];
/** Subscriptions of Anna: with a device of Mia's and of Zoe's; given to Mia; once with a device of Mia's; without her. */
const SUBSCRIPTIONS = ['sub-hers', 'sub-given', 'sub-left', 'sub-others'];

type Opened = Awaited<ReturnType<typeof openTwoCustomers>>;
let database: Opened['database'];
let admin: Client;
let mia: Client;
let tables: Opened['tables'];
let opened: Opened;

beforeAll(async () => {
  opened = await openTwoCustomers();
  ({ database, admin, tables } = opened);
  await admin.query("set session_replication_role = 'replica'");
  for (const [table, row] of company) await add(table, row, ANNA);
  await add('vpn_key', { id: 'key-ben', user_id: MIA, subscription_id: 'sub-ben' }, BEN);
  await add('device_allowance', { subscription_id: 'sub-ben', user_id: MIA }, BEN);
  mia = await connected(database.urls.member);
  await act(mia, ANNA, MIA);
});
afterAll(async () => {
  for (const client of [admin, mia]) await client?.end();
  await database?.drop();
});

const act = (client: Client, customer: string, user: string) =>
  client.query("select set_config('app.customer', $1, false), set_config('app.user', $2, false)", [
    customer,
    user,
  ]);

/** One device of a subscription has the port. */
const lone = (table: string): Row => (table === 'vpn_key' ? { forwarded_port: null } : {});

async function add(table: string, row: Row, owner: typeof ANNA | typeof BEN): Promise<void> {
  const { text, values } = insertion(table, {
    ...rowFor(table, tables.get(table)!, owner),
    ...lone(table),
    ...row,
  });
  await admin.query(text, values);
}

const company: [string, Row][] = [
  ...SUBSCRIPTIONS.flatMap((subscription_id): [string, Row][] => [
    ['subscription', { id: subscription_id }],
    ['static_ip', { subscription_id, address: `198.51.100.${SUBSCRIPTIONS.indexOf(subscription_id)}` }],
    ['subscription_identity', { subscription_id }],
    ['assignment', { subscription_id }],
    ['pending_change', { subscription_id }],
  ]),
  ['vpn_key', { id: 'key-hers', user_id: MIA, subscription_id: 'sub-hers', name: 'a', deleted_at: null }],
  [
    'vpn_key',
    { id: 'key-zoes', user_id: ZOE, subscription_id: 'sub-hers', name: 'b', address: 3, deleted_at: null },
  ],
  ['vpn_key', { id: 'key-gone', user_id: MIA, subscription_id: 'sub-left' }],
  ...['key-hers', 'key-zoes'].flatMap((key_id): [string, Row][] =>
    ['certificate', 'key_rate', 'key_usage', 'key_usage_day'].map(table => [table, { key_id }]),
  ),
  ...[MIA, ZOE].map((user_id): [string, Row] => ['membership', { user_id, role: 'member' }]),
  ['device_allowance', { subscription_id: 'sub-given', user_id: MIA }],
  ['device_allowance', { subscription_id: 'sub-hers', user_id: ZOE }],
];

/** Rows that Mia sees; of a table that is not named, all or none. */
const SEEN: Record<string, number> = {
  subscription: 2,
  static_ip: 2,
  subscription_identity: 2,
  // Also of her deleted device: its host must learn of the end.
  assignment: 3,
  pending_change: 3,
  vpn_key: 2,
  certificate: 1,
  key_rate: 1,
  key_usage: 1,
  key_usage_day: 1,
  membership: 1,
  device_allowance: 1,
};

const columnsFor = (table: string, verb: Verb) => opened.columnsFor(table, 'member', verb) ?? [];

test('S30 a member sees what they have a part in, on the permitted columns, and no row of another table', async () => {
  const wrong: string[] = [];
  for (const table of tables.keys()) {
    const { confined } = opened.rightsOn(table);
    const columns = columnsFor(table, 'select');
    const all = (await admin.query(`select from "${table}"`)).rowCount;
    const seen = SEEN[table] ?? (confined ? 'a table to name above' : all);
    const outcome = await runAndUndo(mia, `select ${columns.join(', ') || '*'} from "${table}"`);
    if (outcome !== (columns.length > 0 ? seen : INSUFFICIENT)) wrong.push(`${table}: ${outcome}`);
    const every = await runAndUndo(mia, `select * from "${table}"`);
    if (every !== (opened.rightOf(table, 'member', 'select')?.columns === 'all' ? seen : INSUFFICIENT))
      wrong.push(`${table}, all columns: ${every}`);
  }
  expect(wrong).toEqual([]);
});

test('S30 without a customer or without a user no row is visible', async () => {
  const stranger = await connected(database.urls.member);
  const wrong: string[] = [];
  for (const [customer, user] of [[], ['', ''], [ANNA, ''], ['', MIA], [ANNA, BEN]] as const) {
    if (customer !== undefined) await act(stranger, customer, user!);
    for (const table of Object.keys(SEEN)) {
      const seen = await runAndUndo(
        stranger,
        `select ${columnsFor(table, 'select').join(', ')} from "${table}"`,
      );
      if (seen !== 0) wrong.push(`${table} as ${customer} ${user}: ${seen}`);
    }
  }
  await stranger.end();
  expect(wrong).toEqual([]);
});

test('S30 a member updates permitted columns in their own rows only, and deletes none', async () => {
  const wrong: string[] = [];
  for (const [table, columns] of tables) {
    const may = columnsFor(table, 'update');
    for (const { name } of columns.filter(({ written }) => written)) {
      const outcome = await runAndUndo(mia, `update "${table}" set ${name} = default`);
      const right = may.includes(name)
        ? outcome === SEEN[table] || /^23/.test(String(outcome))
        : outcome === INSUFFICIENT;
      if (!right) wrong.push(`${table}.${name}: ${outcome}`);
    }
    const deleted = await runAndUndo(mia, `delete from "${table}"`);
    if (deleted !== INSUFFICIENT) wrong.push(`delete from ${table}: ${deleted}`);
  }
  expect(wrong).toEqual([]);
});

test('S30 a member adds devices of their own, on subscriptions that they see, and emails to themselves', async () => {
  const key = {
    id: 'new',
    customer_id: ANNA,
    user_id: MIA,
    subscription_id: 'sub-given',
    name: 'new',
    address: 2,
  };
  const device = { ...key, created_at: new Date() };
  const file = {
    serial: '1',
    customer_id: ANNA,
    key_id: 'key-hers',
    not_after: new Date(),
    profile_version: '',
  };
  const change = {
    host_id: 'h',
    customer_id: ANNA,
    subscription_id: 'sub-hers',
    key_id: 'key-hers',
    ends: true,
  };
  const email = { template: 'keyAdded', customerId: ANNA, userId: MIA };
  const request = { customer_id: ANNA, name: 'sendEmail', data: email };
  const cases: [string, Row, boolean][] = [
    ['vpn_key', device, true],
    ['vpn_key', { ...device, user_id: ZOE }, false],
    ['vpn_key', { ...device, subscription_id: 'sub-others' }, false],
    ['vpn_key', { ...device, subscription_id: 'sub-left' }, false],
    ['vpn_key', { ...device, customer_id: BEN, subscription_id: 'sub-ben' }, false],
    ['certificate', file, true],
    ['certificate', { ...file, key_id: 'key-zoes' }, false],
    ['pending_change', change, true],
    ['pending_change', { ...change, subscription_id: 'sub-others' }, false],
    ['job_request', request, true],
    ['job_request', { ...request, data: { ...email, userId: ZOE } }, false],
    ['job_request', { ...request, data: { ...email, customerId: BEN } }, false],
    ['job_request', { ...request, data: { template: 'keyAdded', customerId: ANNA } }, false],
    ['job_request', { ...request, data: { ...email, template: 'receipt' } }, false],
    ['job_request', { ...request, name: 'sendCode' }, false],
  ];
  const wrong: string[] = [];
  for (const [table, row, allowed] of cases) {
    const { text, values } = insertion(table, row);
    const outcome = await runAndUndo(mia, text, values);
    // The rows that these refer to are missing in part.
    const right = allowed ? outcome === 1 || /^23/.test(String(outcome)) : outcome === INSUFFICIENT;
    if (!right) wrong.push(`${table} ${JSON.stringify(row)}: ${outcome}`);
  }
  for (const table of tables.keys()) {
    if (cases.some(([name]) => name === table)) continue;
    const { text, values } = insertion(table, rowFor(table, tables.get(table)!, ANNA));
    const outcome = await runAndUndo(mia, text, values);
    if (outcome !== INSUFFICIENT) wrong.push(`insert into ${table}: ${outcome}`);
  }
  expect(wrong).toEqual([]);
});

test('S30 what a subscription has in all is told to whoever sees it only', async () => {
  const taken = async (id: string) => runAndUndo(mia, 'select * from devices_taken($1)', [id]);
  expect([await taken('sub-hers'), await taken('sub-others'), await taken('sub-ben')]).toEqual([2, 0, 0]);
  const file = async (id: string) =>
    (await mia.query("select nth_newest_file($1, '2000-01-01', 2) as end", [id])).rows[0].end;
  expect([await file('sub-hers'), await file('sub-others')]).toEqual([expect.any(Date), null]);
});
