import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobHandlers } from '../../ports/jobs.ts';
import { openShopDatabase, type ShopDatabase } from '../database/database.ts';
import { asApplication } from '../database/scope.ts';
import { jobNames, queues } from './queues.ts';
import { type JobRunner, startJobs } from './runner.ts';

let database: TestDatabase;
let shop: ShopDatabase;
let jobs: JobRunner;
beforeAll(async () => {
  database = await createDatabase();
  shop = openShopDatabase(database.urls);
  jobs = await startJobs(database.urls.app, pino({ level: 'silent' }));
});
afterAll(async () => {
  await jobs?.stop();
  await shop?.close();
  await database?.drop();
});

test('of jobs that are taken together one that fails comes again by itself, and no more run at a time than may', async () => {
  const all = Array.from({ length: 12 }, (_, n) => ({ invoiceId: `inv_${n}`, tries: '1' }));
  const ran = new Map<string, number>();
  let [now, most] = [0, 0];
  const handlers = Object.fromEntries(jobNames.map(name => [name, async () => {}])) as unknown as JobHandlers;
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
