import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopDatabase, type ShopDatabase } from '../../database/database.ts';
import { asApplication } from '../../database/scope.ts';
import { watched } from '../../jobs/scheduled-tasks.ts';
import type { JobHandlers } from '../../ports/jobs.ts';
import { liveBus } from '../postgres-bus.ts';
import { send } from './at-commit.ts';
import { openJobDatabase } from './job-database.ts';
import { jobNames, queues } from './queues.ts';
import { type JobRunner, startJobs } from './runner.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let shop: ShopDatabase;
let jobs: JobRunner;
beforeAll(async () => {
  database = await createDatabase();
  shop = openShopDatabase(database.urls);
  jobs = await startJobs(database.urls.app, log);
});
afterAll(async () => {
  await jobs?.stop();
  await shop?.close();
  await database?.drop();
});

const handlers = Object.fromEntries(jobNames.map(name => [name, async () => {}])) as unknown as JobHandlers;

test('S82 the queue stores no more of a failed job’s error than the log does', async () => {
  const fails = async (): Promise<never> => {
    const details = { detail: 'Failing row contains (ann)', raw: { to: 'ann@example.com' } };
    throw Object.assign(new Error('of ann@example.com', { cause: new Error('ann') }), details);
  };
  const output = async (queue: string) => {
    const { rows } = await asApplication(() =>
      sql<{ output: object | null }>`select output from pgboss.job where name = ${queue}`.execute(shop.db),
    );
    return rows[0]?.output;
  };
  const failing = await startJobs(database.urls.app, log);
  await asApplication(async () => {
    await failing.work(
      { ...handlers, forgetMethod: fails },
      [{ name: 'fails', interval: 'minute', run: fails }],
      fails,
    );
    await failing.enqueue(shop.db, 'forgetMethod', { methodId: 'pm_1' });
    await sql`insert into pgboss.job (name) values ('task-fails'), ('dead')`.execute(shop.db);
  });
  for (const queue of ['forgetMethod', 'task-fails', 'dead']) {
    await expect.poll(() => output(queue), { timeout: 30_000 }).toMatchObject({ type: 'Error' });
    expect(JSON.stringify(await output(queue))).not.toContain('ann');
  }
  await failing.stop();
});

test('a job is the row that pg-boss writes, once per key', async () => {
  const db = openJobDatabase(database.urls.app);
  const boss = new PgBoss({ db, migrate: false, createSchema: false, supervise: false, schedule: false });
  await boss.start();
  const data = { orderId: 'ord_1' };
  const rows = async () => {
    const { rows } =
      await sql`select to_jsonb(job) - '{id, created_on, start_after, keep_until}'::text[] as job,
        keep_until - created_on as kept, start_after - created_on as delay
      from pgboss.job where name in ('fulfilOrder', 'sendEmail') order by name`.execute(shop.db);
    await sql`delete from pgboss.job where name in ('fulfilOrder', 'sendEmail')`.execute(shop.db);
    return rows;
  };
  const email = { template: 'welcome', customerId: 'cus_1', subjectId: 'ord_1' } as const;
  await boss.send('fulfilOrder', data, { singletonKey: queues.fulfilOrder.key!(data) });
  await boss.send('sendEmail', email);
  const theirs = await asApplication(rows);
  await boss.stop({ graceful: false });
  await db.close();
  await asApplication(async () => {
    await jobs.enqueue(shop.db, 'fulfilOrder', data);
    await jobs.enqueueAll(shop.db, 'fulfilOrder', [data, data]);
    await jobs.enqueue(shop.db, 'sendEmail', email);
  });
  const ours = await asApplication(rows);
  expect(ours).toHaveLength(2);
  expect(ours).toEqual(theirs);
});

test('jobs of a transaction are written at its end, and never if it rolls back', async () => {
  const written = async () => {
    const { rows } = await sql<{ ids: string[] | null }>`
      select array_agg(data->>'orderId' order by data->>'orderId') as ids
      from pgboss.job where name = 'expireOrder'`.execute(shop.db);
    return rows[0]?.ids ?? [];
  };
  await asApplication(async () => {
    const fails = liveBus.transaction(shop.db, async tx => {
      await jobs.enqueue(tx, 'expireOrder', { orderId: 'ord_1' });
      throw new Error('rolled back');
    });
    await expect(fails).rejects.toThrow('rolled back');
    expect(await written()).toEqual([]);
    await liveBus.transaction(shop.db, async tx => {
      for (const orderId of ['ord_2', 'ord_3', 'ord_2']) await jobs.enqueue(tx, 'expireOrder', { orderId });
      // Another connection: written at once.
      await jobs.enqueue(shop.db, 'expireOrder', { orderId: 'ord_4' });
      expect(await written()).toEqual(['ord_4']);
    });
    expect(await written()).toEqual(['ord_2', 'ord_3', 'ord_4']);
  });
  const unknown = asApplication(() => send(shop.db, { jobs: [{ name: 'unknown', data: {} }] }));
  await expect(unknown).rejects.toThrow('not-null');
});

test('a job that fails in a batch is retried alone, and no more jobs run at a time than allowed', async () => {
  const all = Array.from({ length: 12 }, (_, n) => ({ invoiceId: `inv_${n}`, tries: '1' }));
  const ran = new Map<string, number>();
  let [now, most] = [0, 0];
  const chargeRenewal = async ({ invoiceId }: { invoiceId: string }) => {
    now += 1;
    most = Math.max(most, now);
    const times = (ran.get(invoiceId) ?? 0) + 1;
    ran.set(invoiceId, times);
    await new Promise(done => setTimeout(done, 100));
    now -= 1;
    if (invoiceId === 'inv_3' && times === 1) throw new Error('once');
  };
  await asApplication(async () => {
    await jobs.enqueueAll(shop.db, 'chargeRenewal', all);
    await jobs.work({ ...handlers, chargeRenewal }, [], async () => {});
  });
  const wanted = Object.fromEntries(all.map(({ invoiceId }) => [invoiceId, invoiceId === 'inv_3' ? 2 : 1]));
  await expect.poll(() => Object.fromEntries(ran), { timeout: 30_000 }).toEqual(wanted);
  expect(most).toBeLessThanOrEqual(queues.chargeRenewal.parallel!);
});

test('FM6 a hanging scheduled task does not block others, and raises an alert until it succeeds again', async () => {
  const state = { hangs: true, other: false };
  const interval = 'minute' as const;
  const hang = async () => void (state.hangs && (await new Promise(() => {})));
  const hangs = { name: 'hangs', interval, run: hang };
  const other = {
    name: 'other',
    interval,
    async run() {
      state.other = true;
    },
  };
  const { tasks } = watched({ db: shop.db, clock: { now: () => new Date() }, log }, [hangs, other], 1_000);
  const open = () =>
    asApplication(() => shop.db.selectFrom('open_alert').select(['kind', 'subject']).execute());
  const minutePasses = async () => {
    const queues = ['task-hangs', 'task-other'];
    await asApplication(() =>
      sql`insert into pgboss.job (name) select unnest(${queues}::text[])`.execute(shop.db),
    );
    for (const queue of queues) jobs.announced(queue);
  };
  await asApplication(() => jobs.work(handlers, tasks, async () => {}));
  await minutePasses();
  await expect.poll(() => state.other).toBe(true);
  await expect.poll(open).toEqual([{ kind: 'task.failing', subject: 'hangs' }]);
  state.hangs = false;
  await minutePasses();
  await expect.poll(open).toEqual([]);
});

test('a queue created by another version adopts the current expiry of its jobs', async () => {
  const seconds = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select expire_seconds as seconds from pgboss.queue where name = 'reconcile'`.execute(shop.db);
    return rows[0]!.seconds;
  };
  const wanted = queues.reconcile.expireInSeconds!;
  expect(await asApplication(seconds), 'a list of many payments takes an hour').toBeGreaterThan(3600);
  await asApplication(() => sql`update pgboss.queue set expire_seconds = 120`.execute(shop.db));
  const next = await startJobs(database.urls.app, log);
  expect(await asApplication(seconds)).toBe(wanted);
  await next.stop();
});
