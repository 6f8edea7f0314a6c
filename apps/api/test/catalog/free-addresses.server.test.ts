import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { catalogTasks } from '../../src/modules/catalog/index.ts';
import { taskNamed } from '../helpers/task-named.ts';

const DAY_MS = 24 * 60 * 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

async function alertsAfter(task: string, leastFreeAddresses = 0) {
  await asApplication(taskNamed(catalogTasks, task, { ...places, leastFreeAddresses }).run);
  const open = await asApplication(() => listAlerts(places.db));
  return open.map(({ kind, subject, what }) => ({ kind, subject, what }));
}

test('OP7 a place that runs out within 14 days at its pace, or has few free addresses, is on the list', async () => {
  await places.host('bkk-1', '203.0.113.0/28');
  expect(await alertsAfter('alertLowPlaces')).toEqual([]);
  await places.pass(DAY_MS);
  for (let n = 0; n < 2; n += 1) await places.placed();
  const low = { kind: 'addresses.low', subject: 'demo-th-bkk-fixpoint' };
  expect(await alertsAfter('alertLowPlaces')).toEqual([{ ...low, what: { free: 12, days: 6 } }]);
  await places.pass(8 * DAY_MS);
  expect(await alertsAfter('alertLowPlaces')).toEqual([]);
  expect(await alertsAfter('alertLowPlaces', 13)).toEqual([{ ...low, what: { free: 12, days: 54 } }]);
  await places.host('bkk-2', '203.0.113.16/28');
  expect(await alertsAfter('alertLowPlaces', 13)).toEqual([]);
});

test('OP7 a place is sold out when its last address goes, and not because its hosts are silent', async () => {
  await places.host('bkk-1', '203.0.113.1/32');
  expect(await alertsAfter('alertSoldOutPlaces')).toEqual([]);
  await places.placed();
  const soldOut = { kind: 'addresses.soldOut', subject: 'demo-th-bkk-fixpoint', what: {} };
  expect(await alertsAfter('alertSoldOutPlaces')).toEqual([soldOut]);
  expect(await alertsAfter('alertLowPlaces', 5), 'one alert for one cause').toEqual([soldOut]);
  await places.host('bkk-2', '203.0.113.2/32');
  places.clock.advance(DAY_MS);
  expect(await alertsAfter('alertSoldOutPlaces')).toEqual([]);
  await places.all.updateTable('host').set({ draining: true }).where('id', '=', 'bkk-2').execute();
  expect(await alertsAfter('alertSoldOutPlaces')).toEqual([soldOut]);
});
