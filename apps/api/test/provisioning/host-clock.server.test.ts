import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';

/** Somebody is told of a host whose clock is wrong; it ends nobody's tunnel (apps/agent/src/clock.ts). */
let places: GivenHosts;
beforeAll(async () => {
  places = await givenHosts();
  await places.host('bkk-1', '198.51.100.0/28');
});
afterAll(() => places?.stop());

const alertsAt = async (minutes: number | undefined) => {
  const at = minutes === undefined ? undefined : places.clock.now().getTime() + minutes * 60_000;
  await places.report('bkk-1', at === undefined ? {} : { time: new Date(at).toISOString() });
  const open = await asApplication(() => listAlerts(places.db));
  return open.map(({ kind, subject, what }) => ({ kind, subject, what }));
};

test.each([7 * 24 * 60, -3])(
  'K15 a clock that is %d minutes off has an alert until it is right',
  async minutes => {
    expect(await alertsAt(1)).toEqual([]);
    const alert = { kind: 'host.clock', subject: 'bkk-1', what: { minutes } };
    expect(await alertsAt(minutes)).toEqual([alert]);
    expect(await alertsAt(undefined)).toEqual([alert]);
    expect(await alertsAt(-1)).toEqual([]);
  },
);
