import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { minute } from '../../src/kernel/minute.ts';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { drainHost, provisioningTasks } from '../../src/modules/provisioning/index.ts';
import { subscriptionTasks } from '../../src/modules/subscription/index.ts';
import { taskNamed } from '../helpers/task-named.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let places: GivenHosts;
let look: () => Promise<void>;
beforeEach(async () => {
  places = await givenHosts();
  lookSince(places.systemClock.now());
});
afterEach(() => places?.stop());

const lookSince = (startedAt: Date) => {
  const { run } = taskNamed(provisioningTasks, 'tellSilentHosts', { ...places, startedAt });
  look = () => asApplication(run);
};

const alerts = async () => {
  await look();
  const open = await asApplication(() => listAlerts(places.db));
  return open.map(({ kind, subject, what, remedy }) => ({ kind, subject, what, remedy }));
};

test('FM9 a silent host has an alert with its remedy until it reports again', async () => {
  await places.host('bkk-1', '198.51.100.0/28');
  const two = [await places.placed(), await places.placed()];
  await places.host('bkk-2', '203.0.113.0/28');
  await places.pass(10 * MINUTE_MS);
  expect(await alerts()).toEqual([]);
  places.clock.advance(2 * MINUTE_MS);
  expect(await alerts()).toEqual([]);
  await places.report('bkk-2', {});
  places.clock.advance(MINUTE_MS);
  const remedy = expect.stringMatching(
    /host show --host bkk-1\n.* host move --host bkk-1 --to HOST --off\n.* host replace --host bkk-1 --off\n/s,
  );
  const what = { silentSince: '2026-11-20 05:10 UTC', subscriptions: 2 };
  expect(await alerts()).toEqual([{ kind: 'host.silent', subject: 'bkk-1', what, remedy }]);
  await places.report('bkk-1', { subscriptions: two.map(({ id }) => ({ id, state: 'up' })) });
  expect(await alerts()).toEqual([]);
});

test('K22 V41 the alert of a silent host names the rights that it may still serve, and its clock', async () => {
  await places.host('bkk-1', '198.51.100.0/28');
  const [one, two] = [await places.placed(), await places.placed()];
  await places.report('bkk-1', { time: new Date(places.clock.now().getTime() - 2 * DAY_MS).toISOString() });
  const change = { host_id: 'bkk-1', subscription_id: one.id, customer_id: one.customerId };
  await places.all
    .insertInto('pending_change')
    .values([
      { ...change, key_id: 'key_added', ends: false },
      { ...change, key_id: 'key_deleted', ends: true },
      // Its files were revoked before it was deleted.
      { ...change, key_id: 'key_deleted', ends: true },
    ])
    .execute();
  await places.all
    .updateTable('assignment')
    .set({ status: 'leaving' })
    .where('subscription_id', '=', two.id)
    .execute();
  places.clock.advance(3 * MINUTE_MS);
  const silent = (await alerts()).find(({ kind }) => kind === 'host.silent');
  expect(silent?.what).toMatchObject({ subscriptions: 1, endedRights: 2, clockMinutes: -2 * 24 * 60 });
  expect(silent?.remedy).toMatch(/timedatectl/);
});

test('FM9 a host whose silence is planned raises no alert', async () => {
  await places.host('drained', '198.51.100.0/28');
  await places.placed();
  await places.host('replaced');
  await places.host('retired');
  await asApplication(() => drainHost(places, 'drained', true));
  const of = (id: string) => places.all.updateTable('host').where('id', '=', id);
  await of('retired').set({ status: 'retired' }).execute();
  places.clock.advance(10 * MINUTE_MS);
  const until = new Date(places.clock.now().getTime() + MINUTE_MS);
  await of('replaced')
    .set({ enrol_hash: Buffer.from('token'), enrol_expires_at: until })
    .execute();
  const subjects = async () => (await alerts()).map(({ subject }) => subject);
  // A subscription is still on it.
  expect(await subjects()).toEqual(['drained']);
  await places.all.updateTable('assignment').set({ status: 'leaving' }).execute();
  expect(await subjects()).toEqual([]);
  // A subscription that leaves for another host is served there only after this one has stopped.
  const next = sql`jsonb_build_object('id', 'asg_next', 'host_id', 'replaced', 'status', 'desired')`;
  await sql`insert into assignment select (jsonb_populate_record(assignment, ${next})).* from assignment`.execute(
    places.all,
  );
  expect(await subjects()).toEqual(['drained']);
  await places.all.deleteFrom('assignment').where('id', '=', 'asg_next').execute();
  // The replacement machine has not enrolled.
  places.clock.advance(MINUTE_MS);
  expect(await subjects()).toEqual(['replaced']);
});

test('FM9 a shop that was down waits for reports of its hosts before it raises alerts', async () => {
  await places.host('bkk-1', '198.51.100.0/28');
  places.clock.advance(10 * MINUTE_MS);
  lookSince(places.systemClock.now());
  expect(await alerts()).toEqual([]);
  places.clock.advance(3 * MINUTE_MS);
  expect((await alerts()).map(({ kind }) => kind)).toEqual(['host.silent']);
});

test('alerts that a host reported are resolved when it is retired', async () => {
  for (const id of ['bkk-1', 'bkk-2']) {
    await places.host(id);
    await places.report(id, {
      drift: [{ what: 'client', more: 1, missing: 0 }],
      time: '2020-01-01T00:00:00.000Z',
    });
  }
  await places.all.updateTable('host').where('id', '=', 'bkk-1').set({ status: 'retired' }).execute();
  const { run } = taskNamed(provisioningTasks, 'mendRetired', places);
  await asApplication(run);
  const open = await alerts();
  expect(open.map(({ kind, subject }) => [kind, subject]).sort()).toEqual([
    ['entitlement.drift', 'bkk-2'],
    ['host.clock', 'bkk-2'],
  ]);
});

test('I5 a place at which somebody has paid and waits for an address is on the list at once, with a reserved one after days', async () => {
  const { run } = taskNamed(subscriptionTasks, 'tellLongWaits', places);
  const waits = async () => {
    await asApplication(run);
    const open = await asApplication(() => listAlerts(places.db));
    return open.map(({ kind, subject, what }) => ({ kind, subject, what }));
  };
  await places.host('bkk-1', '203.0.113.0/24');
  const { id, customerId } = await places.subscription();
  const since = minute(places.clock.now());
  expect(await waits()).toEqual([]);
  places.clock.advance(60_000);
  const alert = {
    kind: 'subscription.waiting',
    subject: 'demo-th-bkk-fixpoint',
    what: { waiting: 1, since },
  };
  expect(await waits()).toEqual([alert]);
  const free = places.all
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', 'is', null)
    .limit(1);
  await places.all
    .updateTable('static_ip')
    .set({ subscription_id: id, customer_id: customerId })
    .where('address', '=', free)
    .execute();
  expect(await waits()).toEqual([]);
  places.clock.advance(3 * DAY_MS);
  expect(await waits()).toEqual([alert]);
  // Reactivated just now.
  const move = { version: 1, command: 'reactivate', from_status: 'expired', to_status: 'provisioning' };
  await places.all
    .insertInto('subscription_history')
    .values({ subscription_id: id, customer_id: customerId, at: places.clock.now(), ...move })
    .execute();
  expect(await waits()).toEqual([]);
});
