import { randomBytes } from 'node:crypto';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import { createVault, singleKeyring } from '@fixpoint/api/crypto/vault.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { LEASE_MS } from '@fixpoint/domain/host/host.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { recordMachineStopped } from '../../src/modules/provisioning/fenced-host.ts';
import {
  addHost,
  confirmRouted,
  drainHost,
  enqueueMigrationSteps,
  followMigration,
  hostDetails,
  isUnderWay,
  leaveHost,
  migrateHost,
  provisioningTasks,
  readHostSettings,
  reserveAddress,
  retireHost,
  setHost,
  type WrittenSettings,
} from '../../src/modules/provisioning/index.ts';
import type { HostMigration } from '../../src/modules/provisioning/migrate-host.ts';
import { assignRevision } from '../../src/modules/provisioning/pending-change.ts';
import type { AddressRoutings } from '../../src/ports/address-routing.ts';
import type { Jobs } from '../../src/ports/jobs.ts';
import { taskNamed } from '../helpers/task-named.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** Retirement and migration of hosts, as rows. */
const RANGE = '198.51.100.0/28';
const OTHER = '203.0.113.0/28';
const DAY_MS = 24 * 60 * 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

const signer = createVaultSigner(createVault(singleKeyring(randomBytes(32))));
const PLACE = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
/** Lets a host enrol. */
async function add(id: string, written: WrittenSettings) {
  await asApplication(() => addHost({ ...places, signer }, PLACE, id, readHostSettings(id, written)));
  await of(id)
    .set({ status: 'active', seen_at: places.clock.now(), certificate_hash: Buffer.from(id) })
    .execute();
}
const of = (id: string) => places.all.updateTable('host').where('id', '=', id);
const row = (id: string) =>
  places.all.selectFrom('host').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Adds a fenced machine that last reported then and has not confirmed that it stopped. */
const ended = (id: string, machine: string, seenAt: Date) =>
  places.all
    .insertInto('fenced_host')
    .values({ certificate_hash: Buffer.from(machine), host_id: id, seen_at: seenAt })
    .execute();

/** Ranges of the enqueued jobs. */
let followed: string[] = [];
const jobs = {
  enqueue: async (_db: unknown, _name: string, { poolId }: { poolId: string }) => void followed.push(poolId),
} as unknown as Jobs;
const move = (what: Partial<HostMigration> = {}) =>
  asApplication(() => migrateHost({ ...places, jobs }, { from: 'old', to: 'next', ...what }));
const pool = (id: string) =>
  places.all
    .selectFrom('address_pool')
    .select(['host_id', 'moving_from', 'routed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const follow = (id: string, routing: Partial<AddressRoutings> = {}) =>
  asApplication(() => followMigration({ db: places.db, routing: routing as AddressRoutings }, id));
const stillThere = { static: { route: async () => ({ routed: false as const, operator: 'by hand' }) } };
const retire = (id: string, how: { evenWithCustomers?: boolean; isOff?: boolean } = {}) =>
  asApplication(() => retireHost(places, id, { evenWithCustomers: false, isOff: false, ...how }));

/** The tasks that clear hosts, of a program that starts now. */
const clearingTasks = () =>
  ['forgetStopped', 'forgetLost'].map(name =>
    taskNamed(provisioningTasks, name, { ...places, startedAt: places.systemClock.now() }),
  );

test('a host that customers are on is retired on purpose only, and nothing is set of it afterwards', async () => {
  await add('old', { pool: RANGE });
  await places.placed();
  await expect(retire('old')).rejects.toThrow('old has 1 subscriptions and 0 reserved addresses');
  expect((await row('old')).status).toBe('active');
  expect(await retire('old', { evenWithCustomers: true })).toEqual({ runs: 1, reserved: 0 });
  expect(await row('old')).toMatchObject({ status: 'retired', certificate_hash: null, enrol_hash: null });
  const set = () => asApplication(() => setHost(places, 'old', readHostSettings('old', { weight: '5' })));
  await expect(set()).rejects.toThrow('old is retired. Its settings cannot change.');
  await add('empty', {});
  expect(await retire('empty')).toEqual({ runs: 0, reserved: 0 });
});

// A reactivated subscription would wait on a retired host.
test('a host with reserved addresses is not retired by mistake', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await places.inTransaction(async tx => {
    await leaveHost(places, tx, id);
    await reserveAddress(places, tx, id);
  });
  expect(await asApplication(() => drainHost(places, 'old', true))).toEqual({ runs: 0, reserved: 1 });
  await expect(retire('old')).rejects.toThrow('old has 0 subscriptions and 1 reserved addresses');
  await add('next', {});
  await move();
  expect(await retire('old')).toEqual({ runs: 0, reserved: 0 });
});

test('the list shows the state of a host, and its latest machine, weight and port', async () => {
  await add('another', {});
  await add('old', { pool: RANGE, tcp: '8443' });
  const shown = () => asApplication(() => hostDetails(places.db, places.clock.now(), 'old'));
  const settings = { machine: '192.0.2.70', weight: '300' };
  await asApplication(() => setHost(places, 'old', readHostSettings('old', settings)));
  const last = {
    id: 'old',
    state: 'up',
    machine: '192.0.2.70',
    weight: 300,
    pools: [{ tcpPort: 8443 }],
  };
  expect(await shown()).toMatchObject(last);
  await asApplication(() => setHost(places, 'old', readHostSettings('old', { capacity: '7' })));
  expect(await shown()).toMatchObject({ ...last, capacity: 7 });
  await asApplication(() => drainHost(places, 'old', true));
  expect((await shown()).state).toBe('draining');
  places.clock.advance(3 * 60_000);
  expect((await shown()).state).toBe('silent');
  await retire('old');
  expect((await shown()).state).toBe('retired');
});

test('an assignment leaves a retired host when its machine has stopped, and its next host is woken', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await add('next', {});
  await move();
  await retire('old');
  const heard = () =>
    places.all.selectFrom('pending_change').select('id').where('host_id', '=', 'next').execute();
  const before = (await heard()).length;
  expect(await places.assignmentsOf(id)).toEqual([
    { host_id: 'next', status: 'desired' },
    { host_id: 'old', status: 'leaving' },
  ]);
  await asApplication(() => recordMachineStopped(places, Buffer.from('another')));
  expect(await places.assignmentsOf(id)).toHaveLength(2);
  await asApplication(() => recordMachineStopped(places, Buffer.from('old')));
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'next', status: 'desired' }]);
  expect((await heard()).length).toBe(before + 1);
});

test('FV6 an assignment stays while its host reports that it runs', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await add('next', {});
  await move();
  const revision = await asApplication(async () => (await assignRevision(places.db, 'old')).now);
  await places.report('old', { revision, subscriptions: [{ id, state: 'up' }] });
  expect((await places.assignmentsOf(id)).map(({ host_id }) => host_id)).toEqual(['next', 'old']);
  await places.report('old', { revision });
  expect((await places.assignmentsOf(id)).map(({ host_id }) => host_id)).toEqual(['next']);
});

test.each([
  ['is still in service', async (): Promise<unknown> => undefined],
  ['was retired', () => retire('old')],
] as const)(
  'FV6 the lease of a lost host that %s ends seven days after its last report',
  async (_, meanwhile) => {
    await add('old', { pool: RANGE });
    const { id } = await places.placed();
    await add('next', {});
    await move();
    await meanwhile();
    const tasks = clearingTasks();
    const runs = async () => {
      for (const { run } of tasks) await asApplication(run);
      return (await places.assignmentsOf(id)).map(({ host_id }) => host_id);
    };
    const shown = async () =>
      (await asApplication(() => hostDetails(places.db, places.clock.now(), 'old'))).mayServeUntil;
    expect(await shown()).toEqual(new Date(places.clock.now().getTime() + LEASE_MS));
    places.clock.advance(LEASE_MS - 1);
    expect(await runs()).toEqual(['next', 'old']);
    const heard = () =>
      places.all.selectFrom('pending_change').select('id').where('host_id', '=', 'next').execute();
    const before = (await heard()).length;
    places.clock.advance(1);
    expect(await shown()).toBeUndefined();
    expect(await runs()).toEqual(['next']);
    expect((await heard()).length).toBe(before + 1);
  },
);

test('FV6 a shop that was down waits for reports before it treats a host as lost', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await add('next', {});
  await move();
  places.clock.advance(LEASE_MS + 60_000);
  const tasks = clearingTasks();
  const lookAfter = async () => {
    for (const { run } of tasks) await asApplication(run);
  };
  await lookAfter();
  expect(await places.assignmentsOf(id)).toHaveLength(2);
  // The host was up all the time.
  await places.report('old', { subscriptions: [{ id, state: 'up' }] });
  places.clock.advance(3 * 60_000);
  await lookAfter();
  expect(await places.assignmentsOf(id)).toHaveLength(2);
});

test('a machine that the operator asserts to be off counts as stopped, with those before it', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await add('next', {});
  await move();
  await ended('old', 'before', places.clock.now());
  await retire('old', { isOff: true });
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'next', status: 'desired' }]);
});

test('the fenced machine that reported last determines how long a host may serve', async () => {
  await add('old', {});
  const at = (days: number) => new Date(places.clock.now().getTime() - days * DAY_MS);
  for (const days of [3, 1, 2]) await ended('old', `${days}`, at(days));
  const shown = async () =>
    (await asApplication(() => hostDetails(places.db, places.clock.now(), 'old'))).earlierMayServeUntil;
  expect(await shown()).toEqual(new Date(at(1).getTime() + LEASE_MS));
  await asApplication(() => recordMachineStopped(places, Buffer.from('1')));
  expect(await shown()).toEqual(new Date(at(2).getTime() + LEASE_MS));
});

test('a subscription that migrates before it started is overdue on its next host as on the first', async () => {
  await add('old', { pool: RANGE });
  const { id } = await places.placed();
  await add('next', {});
  await move({ isOff: true });
  const open = async () =>
    (await asApplication(() => listAlerts(places.db))).map(({ kind, subject, what }) => [
      kind,
      subject,
      what,
    ]);
  const revision = await asApplication(async () => (await assignRevision(places.db, 'next')).now);
  await places.report('next', { revision });
  expect(await open()).toEqual([]);
  await places.pass(60_000);
  await places.report('next', { revision });
  expect(await open()).toEqual([['delivery.failed', 'next', { checks: 'start' }]]);
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'next', status: 'desired' }]);
});

test('ranges migrate only to an available host of the place with capacity for them', async () => {
  await add('old', { pool: RANGE });
  await add('next', {});
  const { id } = await places.placed();
  await places.placed();
  await expect(move({ to: 'old' })).rejects.toThrow('The addresses are on old already.');
  await expect(move({ from: 'next', to: 'old' })).rejects.toThrow('next has no addresses to move to old');
  await expect(move({ pool: OTHER })).rejects.toThrow(`old has no range ${OTHER} to move to next`);
  await of('next').set({ capacity: 1 }).execute();
  await expect(move()).rejects.toThrow('next runs 0 of 1 subscriptions and cannot take 2 more');
  await of('next')
    .set({ capacity: 2, seen_at: new Date(0) })
    .execute();
  await expect(move()).rejects.toThrow('next is not available: it has not reported lately');
  await of('next').set({ seen_at: places.clock.now(), status: 'enrolling' }).execute();
  await expect(move()).rejects.toThrow('next is not available: its status is enrolling');
  const elsewhere = await places.all
    .selectFrom('offer')
    .select(['provider_id', 'region_id', 'vendor_id'])
    .where('region_id', '!=', PLACE.regionId)
    .executeTakeFirstOrThrow();
  const { provider_id, region_id, vendor_id } = await row('next');
  await of('next')
    .set({ status: 'active', ...elsewhere })
    .execute();
  await expect(move()).rejects.toThrow('Customers bought their place');
  await of('next')
    .set({ provider_id, region_id, vendor_id, own_addresses: ['198.51.100.2', '198.51.100.3'] })
    .execute();
  await expect(move()).rejects.toThrow(
    'next or its router uses 198.51.100.2 itself, and customers have that',
  );
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'old', status: 'desired' }]);
  await of('next').set({ own_addresses: [] }).execute();
  expect(await move()).toEqual({ pools: [RANGE], moved: 2 });
});

test('a migration waits for a concurrent purchase on the next host, and the purchase does not wait', async () => {
  await add('old', { pool: RANGE });
  await add('next', {});
  await places.placed();
  const shop = { db: places.all, databaseUrl: places.databaseUrl };
  const slots = "select pg_advisory_xact_lock(hashtextextended('slots of next', 0))";
  const moved = await whileLocked(shop, slots, move, buyer =>
    buyer.query("select from host where id = 'next' for key share"),
  );
  expect(moved).toEqual({ pools: [RANGE], moved: 1 });
});

test('a range is routed to its next host when the first has stopped, and has arrived when all its subscriptions run there', async () => {
  followed = [];
  await add('old', { pool: `${RANGE},${OTHER}` });
  await add('next', {});
  const { id } = await places.placed();
  expect(await move({ pool: RANGE })).toEqual({ pools: [RANGE], moved: 1 });
  expect(followed).toEqual([RANGE]);
  expect(await pool(RANGE)).toEqual({ host_id: 'next', moving_from: 'old', routed: false });
  expect(await pool(OTHER)).toEqual({ host_id: 'old', moving_from: null, routed: true });

  // Reports of both hosts enqueue its next step, and so does the worker every minute.
  for (const hostId of ['old', 'next', 'another', undefined])
    await asApplication(() => enqueueMigrationSteps({ db: places.db, jobs }, hostId));
  expect(followed).toEqual([RANGE, RANGE, RANGE, RANGE]);

  const confirm = (what: Partial<HostMigration> = {}) =>
    asApplication(() => confirmRouted(places.db, { from: 'old', to: 'next', ...what }));
  await follow(RANGE, { static: { route: async () => ({ routed: true }) } });
  expect(await pool(RANGE)).toMatchObject({ moving_from: 'old', routed: false });
  await places.all.deleteFrom('assignment').where('status', '=', 'leaving').execute();
  await follow(RANGE, stillThere);
  expect(await pool(RANGE)).toMatchObject({ moving_from: 'old', routed: false });
  const moving = `Moving now: ${RANGE} from old to next`;
  for (const wrong of [{ pool: OTHER }, { from: 'next' }, { to: 'nxt' }])
    await expect(confirm(wrong)).rejects.toThrow(moving);
  expect(await pool(RANGE)).toMatchObject({ routed: false });
  expect(await confirm()).toBe(1);
  await follow(RANGE);
  expect(await pool(RANGE)).toMatchObject({ moving_from: 'old', routed: true });
  await places.all.updateTable('assignment').set({ status: 'up' }).execute();
  await follow(RANGE);
  expect(await pool(RANGE)).toEqual({ host_id: 'next', moving_from: null, routed: true });
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'next', status: 'up' }]);
});

test('a repeated move continues what has begun, and begins what has not', async () => {
  await add('old', { pool: `${RANGE},${OTHER}` });
  await add('next', {});
  await add('empty', {});
  const isGoingOn = (what: Partial<HostMigration> = {}) =>
    asApplication(() => isUnderWay(places.db, { from: 'old', to: 'next', ...what }));
  const ways = async () => [
    await isGoingOn({ pool: RANGE }),
    await isGoingOn({ pool: OTHER }),
    await isGoingOn(),
  ];
  expect(await ways()).toEqual([false, false, false]);
  await move({ pool: RANGE });
  expect(await ways()).toEqual([true, false, false]);
  await move();
  expect(await ways()).toEqual([true, true, true]);
  expect(await isGoingOn({ from: 'empty' })).toBe(false);
});

test('behind 1:1 NAT the next host binds another range of the same length', async () => {
  await add('old', { pool: `54.1.0.0/30=10.0.0.0/30,54.2.0.0/30=10.0.1.0/30` });
  await add('next', { pool: '54.3.0.0/30=10.0.2.0/30' });
  const one = { pool: '54.1.0.0/30' };
  await expect(move({ bind: '10.0.3.0/30' })).rejects.toThrow('--bind applies to one range');
  await expect(move({ ...one, bind: '10.0.3.0/29' })).rejects.toThrow('are not of the same length');
  await expect(move({ ...one, bind: 'x/30' })).rejects.toThrow('x/30 is no range of IPv4 addresses');
  await expect(move({ ...one, bind: '10.0.3.5/30' })).rejects.toThrow(
    '10.0.3.5/30 does not begin there: 10.0.3.4/30 does',
  );
  await expect(move({ ...one, bind: '10.0.2.0/30' })).rejects.toThrow('next binds addresses of 10.0.2.0/30');
  await move({ ...one, bind: '10.0.3.0/30' });
  const rows = await places.all
    .selectFrom('static_ip')
    .select('bind_address')
    .where('pool_id', '=', one.pool)
    .orderBy('address')
    .execute();
  expect(rows.map(({ bind_address }) => bind_address)).toEqual(['10.0.3.1', '10.0.3.2']);
});

test('a floating IP is sold once it is assigned to its host, and moves only to a host with a server ID', async () => {
  await add('old', { pool: '198.51.100.200/32', routing: 'hcloud', machine: '11' });
  await expect(places.placed()).rejects.toThrow('no host is free');
  const calls: unknown[] = [];
  const hcloud = {
    route: async (...call: unknown[]) => {
      calls.push(call);
      return { routed: true as const };
    },
  };
  await expect(follow('198.51.100.200/32')).rejects.toThrow('HCLOUD_TOKEN is missing');
  await follow('198.51.100.200/32', { hcloud });
  expect(calls).toEqual([['198.51.100.200/32', { hostId: 'old', machine: '11' }]]);
  await places.placed();
  // A statically routed range needs no server ID.
  await asApplication(() => setHost(places, 'old', readHostSettings('old', { pool: RANGE })));
  await add('next', {});
  await expect(move()).rejects.toThrow('next has no server number of Hetzner');
  // The address of its machine is none; what is asked for is taken.
  const set = (written: WrittenSettings) =>
    asApplication(() => setHost(places, 'next', readHostSettings('next', written)));
  await set({ machine: '192.0.2.7' });
  await expect(move()).rejects.toThrow('host set --host next --routing hcloud --machine NUMBER');
  await set({ routing: 'hcloud', machine: '12' });
  await move();
});
