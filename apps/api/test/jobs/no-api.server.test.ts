import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiWatch, alertNoApiTask } from '../../src/jobs/tasks/alert-no-api.ts';

/** A worker looks each minute whether an API runs beside it. */
let places: GivenHosts;
let apiWatch: ApiWatch;
let minutes: number;
beforeAll(async () => {
  places = await givenHosts();
});
beforeEach(async () => {
  apiWatch = {};
  minutes = 0;
  await sql`delete from node`.execute(places.all);
  await sql`delete from alert`.execute(places.all);
});
afterAll(() => places?.stop());

const runs = (id: string, role = 'api') =>
  sql`insert into node (id, role, version, seen_at) values (${id}, ${role}, '1', now())`.execute(places.all);
const stops = (id: string) => sql`delete from node where id = ${id}`.execute(places.all);
/** What is open after each of so many looks, a minute apart. */
async function looks(count: number): Promise<boolean[]> {
  const open: boolean[] = [];
  for (let look = 0; look < count; look += 1) {
    const now = new Date(Date.UTC(2027, 0, 1, 0, minutes));
    minutes += 1;
    await asApplication(() => alertNoApiTask.run({ ...places, systemClock: { now: () => now }, apiWatch }));
    const alerts = await places.all.selectFrom('open_alert').select(['kind', 'subject']).execute();
    if (alerts.length > 0) expect(alerts).toEqual([{ kind: 'node.noApi', subject: 'api' }]);
    open.push(alerts.length > 0);
  }
  return open;
}

test.each(['api', 'all'])(
  'an API (%s) that stops alone is missed after two minutes, until one runs again',
  async role => {
    await runs('worker', 'worker');
    await runs('first', role);
    expect(await looks(3)).toEqual([false, false, false]);
    await stops('first');
    expect(await looks(4)).toEqual([false, false, true, true]);
    await runs('second', role);
    expect(await looks(2)).toEqual([true, false]);
  },
);

test('nobody hears of an upgrade, or of a start of both services at once', async () => {
  expect(await looks(1)).toEqual([false]);
  await runs('0.1');
  expect(await looks(2)).toEqual([false, false]);
  await stops('0.1');
  expect(await looks(1)).toEqual([false]);
  await runs('0.2');
  expect(await looks(3)).toEqual([false, false, false]);
});

test('an API that was killed, or that ends after each of its starts, is missed too', async () => {
  const killed = () => sql`update node set seen_at = now() - interval '46 seconds'`.execute(places.all);
  await runs('killed');
  await killed();
  expect(await looks(3)).toEqual([false, false, true]);
  for (const start of ['one', 'two', 'three']) {
    await killed();
    await runs(start);
    expect(await looks(1)).toEqual([true]);
  }
});

test('another worker may look in between: a long pause says nothing about an API', async () => {
  expect(await looks(1)).toEqual([false]);
  minutes += 10;
  expect(await looks(2)).toEqual([false, false]);
});
