import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { migrateAsBefore } from '@fixpoint/testkit/older-database.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';

const FILE = '0006_standard_names.sql';
let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await migrateAsBefore(client, database.urls.owner, name => name < FILE);
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const rowsOf = async (sql: string) => (await client.query(sql)).rows;

test('a shop of the previous version keeps its alerts, texts, bookings and jobs under the new names', async () => {
  await client.query(`
    set session_replication_role = replica;
    insert into text_override values ('en', 'mail.creditNote.kept.body', 'a'), ('en', 'mail.closing', 'b'),
      ('en', 'form.email.required', 'c'), ('en', 'mail.paper.due', 'd');
    insert into attention (kind, subject, since, last_seen, what) values
      ('duty.failing', 'keepExcess', now(), now(), '{}'),
      ('job.failing', 'writePapers', now(), now(), '{}'),
      ('job.dead', 'sendMail:1-2', now(), now(), '{"mail": "receipt", "subjectId": "inv_1"}');
    insert into job_request (customer_id, name, data) values ('cus_1', 'sendMail', '{"mail": "welcome"}');
    insert into refund (id, attempt_id, currency, amount, reason, status, created_at, updated_at)
      values ('ref_1', 'att_1', 'THB', 1, 'excess', 'failed', now(), now());
    insert into ledger_entry (txn, position, account, currency, amount, created_at)
      values ('by-hand:1', 0, 'byHand', 'THB', -1, now()), ('by-hand:1', 1, 'refundsDue', 'THB', 1, now());
    insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds,
      deletion_seconds, partition, table_name) select name, 'standard', 2, 0, false, 60, 60, 60, false, 'job_common'
      from unnest('{dead,sendMail,duty-keepExcess,reconcile}'::text[]) name;
    insert into pgboss.job (name, source_name, data) values ('sendMail', null, '{"mail": "ready"}'),
      ('dead', 'sendMail', '{"mail": "credit"}'), ('duty-keepExcess', null, null);
    insert into pgboss.schedule (name, cron) values ('duty-keepExcess', '* * * * *');
    set session_replication_role = origin`);

  await migrate(database.urls.owner);

  expect(await rowsOf('select key, text from text_override order by text')).toEqual([
    { key: 'email.creditNote.credited.body', text: 'a' },
    { key: 'email.closing', text: 'b' },
    { key: 'form.email.required', text: 'c' },
    { key: 'email.document.due', text: 'd' },
  ]);
  expect(await rowsOf('select kind, subject, what from alert order by kind, subject')).toEqual([
    { kind: 'job.dead', subject: 'sendEmail:1-2', what: { template: 'receipt', subjectId: 'inv_1' } },
    { kind: 'job.failing', subject: 'generateDocuments', what: {} },
    { kind: 'task.failing', subject: 'creditUnapplied', what: {} },
  ]);
  expect(await rowsOf('select name, data from job_request')).toEqual([
    { name: 'sendEmail', data: { template: 'welcome' } },
  ]);
  expect(await rowsOf('select reason from refund')).toEqual([{ reason: 'unapplied' }]);
  expect(await rowsOf('select account from ledger_entry order by position')).toEqual([
    { account: 'outOfBand' },
    { account: 'refundsDue' },
  ]);
  await expect(client.query("update ledger_entry set account = 'fees'")).rejects.toThrow('only added to');
  expect(await rowsOf('select name from pgboss.queue order by name')).toEqual([
    { name: 'dead' },
    { name: 'reconcile' },
    { name: 'sendEmail' },
    { name: 'task-creditUnapplied' },
  ]);
  expect(await rowsOf('select name, source_name as from, data from pgboss.job order by name')).toEqual([
    { name: 'dead', from: 'sendEmail', data: { template: 'credit' } },
    { name: 'sendEmail', from: null, data: { template: 'ready' } },
    { name: 'task-creditUnapplied', from: null, data: null },
  ]);
  expect(await rowsOf('select name from pgboss.schedule')).toEqual([{ name: 'task-creditUnapplied' }]);
});

test('no constraint, index or sequence keeps an old name', async () => {
  const old =
    "'(^|_)(attention|kept|payer|excess|papers|ended_machine|host_change|payback|held|tell|rests|gives|proven)(_|$)'";
  const found = await rowsOf(`
    select conname as name from pg_constraint where connamespace = 'public'::regnamespace and conname ~ ${old}
    union select relname from pg_class where relnamespace = 'public'::regnamespace and relname ~ ${old}
    union select attname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not attisdropped and attname ~ ${old}`);
  expect(found.map(({ name }) => name)).toEqual([]);
});
