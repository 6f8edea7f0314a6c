import { join } from 'node:path';
import { transactionalJobs } from '@fixpoint/api/adapters/jobs/requests.ts';
import type { JobRunner } from '@fixpoint/api/adapters/jobs/runner.ts';
import { commandOf } from '@fixpoint/api/cli/areas.ts';
import { parseCommand } from '@fixpoint/api/cli/parse.ts';
import type { Area } from '@fixpoint/api/compose/staff/handler.ts';
import { runOperation, type StaffDeps } from '@fixpoint/api/compose/staff/run-operation.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { readCommandEnv } from '@fixpoint/api/env/env.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { sql } from 'kysely';

/** Addresses of a database, by its roles. */
type Urls = Parameters<typeof databaseSettings>[0];

/** Entries of the audit log: 30 a day for ten years. */
const ENTRIES = 100_000;

/** Runs a command as its words name it: all of it but the start of a process and the words of its answer. */
export function consoleOf(db: Db, urls: Urls, dataDir: string) {
  const env = readCommandEnv({
    ...databaseSettings(urls),
    DATA_DIR: dataDir,
    MASTER_KEY_FILE: join(dataDir, 'master.key'),
    PUBLIC_URL: 'http://localhost',
  });
  const runner = { ...transactionalJobs, stop: async () => {} } as unknown as JobRunner;
  const deps: StaffDeps = { db, env, source: {}, say: () => {}, openJobs: async () => runner };
  return (...[area = '', verb = '', ...words]: string[]): Promise<void> =>
    asApplication(async () => {
      const command = await commandOf(area as Area, verb);
      const { input, reason } = await parseCommand(command.operation, words);
      const run = (preview?: string) =>
        runOperation(deps, command, 'console:bench', { input, reason, preview });
      const first = await run();
      const last = 'preview' in first ? await run(first.preview) : first;
      if (!('data' in last)) throw new Error(`${area} ${verb} did nothing: ${JSON.stringify(last)}`);
    });
}

type Console = ReturnType<typeof consoleOf>;

/** What is changed: in each run another customer, with an active subscription and a paid invoice. */
type Subject = { subscription: string; customer: string; invoice: string };

/**
 * The commands of an operator's day, each as a task that runs as often as there are subjects. Those that change something
 * show their plan and execute it.
 */
export async function commandTasks(
  db: Db,
  run: Console,
  runs: number,
): Promise<Record<string, () => Promise<void>>> {
  // A process loads an area once, as it starts.
  for (const area of ['account', 'audit', 'credit', 'days', 'export', 'refund', 'subscription'] as const)
    await commandOf(area, '');
  const subjects = await sql<Subject>`
    select subscription.id as subscription, subscription.customer_id as customer, number as invoice
    from subscription join invoice on invoice.subscription_id = subscription.id
    where subscription.status = 'active' and subscription.period_end > now() + interval '2 days'
    order by md5(subscription.id) limit ${runs}`.execute(db);
  const hosts = await sql<{ id: string }>`
    select host_id as id from assignment where status = 'up' group by 1 order by count(*) desc, 1 limit ${runs}`.execute(
    db,
  );
  const at = <T>(rows: readonly T[], command: (row: T) => string[]) => {
    let next = 0;
    return () => run(...command(rows[next++ % rows.length]!));
  };
  const each = (command: (subject: Subject) => string[]) => at(subjects.rows, command);
  const why = ['--reason', 'bench'];
  const {
    rows: [before],
  } = await sql<{ month: string }>`
    select to_char(now() at time zone 'Asia/Bangkok' - interval '1 month', 'YYYY-MM') as month`.execute(db);
  return {
    'export of a month': () => run('export', 'month', before!.month),
    suspend: each(({ subscription }) => ['subscription', 'suspend', subscription, ...why]),
    restore: each(({ subscription }) => ['subscription', 'restore', subscription, ...why]),
    'refund of a part': each(({ invoice }) => [
      'refund',
      'invoice',
      invoice,
      '--amount',
      '1',
      '--credit',
      ...why,
    ]),
    credit: each(({ customer }) => ['credit', 'give', customer, '2', ...why]),
    'credit taken back': each(({ customer }) => ['credit', 'take-back', customer, '2', ...why]),
    'free days': each(({ subscription }) => ['days', 'give', subscription, '5', ...why]),
    'days on a host': at(hosts.rows, ({ id }) => ['days', 'give', id, '5', ...why]),
    'who did what': () => run('audit', 'list'),
    'who did it to one': each(({ customer }) => ['audit', 'list', customer]),
    close: each(({ customer }) => ['account', 'close', customer, ...why]),
  };
}

/** Entries as staff makes them, about customers. Their hashes are of the right length only. */
export async function fillAuditLog(ownerUrl: string): Promise<void> {
  const { db, close } = openDatabase(ownerUrl, 1);
  for (const text of [
    'set statement_timeout = 0',
    `insert into audit_entry (seq, at, actor, operation, phase, subject, previous, hash)
      select row_number() over (order by id), now(), 'console:bench', 'credit give', 'done', customer_id, md5(id), md5(id)
      from invoice where customer_id is not null order by id limit ${ENTRIES}`,
    `insert into audit_detail (seq, customer_id, at, operation, salt, detail)
      select seq, subject, at, operation, 'salt', '{"reason": "bench"}' from audit_entry`,
    'analyze audit_entry, audit_detail',
  ])
    await sql.raw(text).execute(db);
  await close();
}
