import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provisioningTasks, statusPage } from '../../src/modules/provisioning/index.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** What `/status.json` says of the places. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let hosts: GivenHosts;
beforeAll(async () => {
  hosts = await givenHosts();
});
afterAll(() => hosts?.stop());

const startedAt = new Date(0);
const count = (started = startedAt) =>
  asApplication(() => taskNamed(provisioningTasks, 'watchPlaces', { ...hosts, startedAt: started }).run());
const bangkok = async (started = startedAt) => {
  const { places } = await asApplication(() => statusPage({ ...hosts, startedAt: started }));
  return places.find(({ region }) => region.id === 'th-bkk')!;
};

test('a place is shown by what its servers report, minute by minute, and nothing is made up for the time between', async () => {
  // Nobody has looked yet, and a place without servers stays unknown.
  expect(await bangkok()).toMatchObject({ state: 'unknown', days: [] });
  await count();
  expect((await bangkok()).days).toEqual([]);

  await hosts.host('bkk-1', '203.0.113.0/28');
  await hosts.host('bkk-2', '203.0.113.16/28');
  await count();
  // A second worker in the same minute adds nothing.
  await count();
  const first = { day: '2026-11-20', watchedMinutes: 1, disturbedMinutes: 0 };
  expect(await bangkok()).toMatchObject({ state: 'up', days: [first] });

  hosts.clock.advance(3 * MINUTE_MS);
  await hosts.report('bkk-1', {});
  await count();
  const second = { day: '2026-11-20', watchedMinutes: 2, disturbedMinutes: 1 };
  expect(await bangkok()).toMatchObject({ state: 'disturbed', days: [second] });

  hosts.clock.advance(3 * MINUTE_MS);
  expect((await bangkok()).state).toBe('down');
  // The shop itself was away until now: the silence may be its own.
  const justNow = hosts.clock.now();
  expect((await bangkok(justNow)).state).toBe('unknown');
  await count(justNow);
  expect((await bangkok()).days).toEqual([second]);

  // The days without the shop are absent, and the page forgets what is older than 90 days.
  await hosts.pass(89 * DAY_MS);
  await count();
  const last = { day: '2027-02-17', watchedMinutes: 1, disturbedMinutes: 0 };
  expect((await bangkok()).days).toEqual([second, last]);
  await hosts.pass(DAY_MS);
  await count();
  expect((await bangkok()).days.map(({ day }) => day)).toEqual(['2027-02-17', '2027-02-18']);
});
