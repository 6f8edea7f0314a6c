import { randomBytes } from 'node:crypto';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import { createVault, singleKeyring } from '@fixpoint/api/crypto/vault.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { desiredSet } from '../../src/modules/provisioning/desired-set.ts';
import {
  addHost,
  drainHost,
  driftByHost,
  driftSum,
  entitlementDrift,
  hostDetails,
  hostList,
  readHostSettings,
  servedNowhere,
  setHost,
  shiftHostTimes,
  type WrittenSettings,
} from '../../src/modules/provisioning/index.ts';
import { assignRevision, markDirty, markHostDirty } from '../../src/modules/provisioning/pending-change.ts';
import type { Signer } from '../../src/ports/signer.ts';

/** What the operator says of a host, and what comes of it. */
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

const signer = createVaultSigner(createVault(singleKeyring(randomBytes(32))));
const opensNothing = {
  openServerKey: () => '',
  openTlsCrypt: () => '',
  newClient: async () => ({ certificate: '', privateKey: '', serial: '1' }),
} as unknown as Signer;
const PLACE = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
const add = (id: string, written: WrittenSettings, place: Partial<typeof PLACE> = {}) =>
  asApplication(() =>
    addHost({ ...places, signer }, { ...PLACE, ...place }, id, readHostSettings(id, written)),
  );
const set = (id: string, written: WrittenSettings) =>
  asApplication(() => setHost(places, id, readHostSettings(id, written)));
const enrolled = (...ids: string[]) =>
  places.all
    .updateTable('host')
    .set({ status: 'active', seen_at: places.clock.now() })
    .where('id', 'in', ids)
    .execute();
const setOf = (id: string, since = 0) =>
  asApplication(() => desiredSet(places.db, opensNothing, places.clock.now(), id, since));
const revision = (id: string) => asApplication(async () => (await assignRevision(places.db, id)).now);

test('FV14 a host is added once, at a known place, with addresses that no other host has', async () => {
  const { addresses } = await add('bkk-1', { pool: '198.51.100.0/28,203.0.113.8/30' });
  expect(addresses).toBe(14 + 2);
  await expect(add('bkk-1', { pool: '192.0.2.0/24' })).rejects.toThrow('host set --host bkk-1');
  await expect(add('bkk-2', { pool: '192.0.2.0/24' }, { regionId: 'nowhere' })).rejects.toThrow(
    '--provider demo --region th-bkk --vendor fixpoint',
  );
  await expect(add('bkk-2', { pool: '198.51.100.8/29' })).rejects.toThrow(
    '198.51.100.8/29 overlaps 198.51.100.0/28 of bkk-1',
  );
  await expect(add('bkk-2', { pool: '198.51.100.0/28' })).rejects.toThrow(
    'host move --host bkk-1 --to bkk-2 --pool 198.51.100.0/28',
  );
  await expect(add('bkk-2', { pool: '54.1.0.0/30=10.0.0.0/30,54.2.0.0/30=10.0.0.0/30' })).rejects.toThrow(
    'bkk-2 binds addresses of 10.0.0.0/30 already, for 54.1.0.0/30',
  );
  expect((await asApplication(() => hostList(places.db, places.clock.now()))).map(({ id }) => id)).toEqual([
    'bkk-1',
  ]);
});

test('FV14 new resolvers and ranges reach an existing host, and conflicts are refused', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  const before = await revision('bkk-1');
  expect(await set('bkk-1', { dns: '1.1.1.1,9.9.9.9', pool: '203.0.113.0/28' })).toEqual({ addresses: 14 });
  expect(await revision('bkk-1')).toBe(before + 1);
  expect(await setOf('bkk-1')).toMatchObject({ dns: ['1.1.1.1', '9.9.9.9'], leaseSeconds: 604_800 });
  expect(await set('bkk-1', { pool: '203.0.113.0/28', capacity: '5' })).toEqual({ addresses: 0 });
  await expect(set('bkk-1', { pool: '203.0.113.8/29' })).rejects.toThrow('overlaps 203.0.113.0/28 of bkk-1');
  await expect(set('bkk-1', { pool: '203.0.113.0/28', port: '443' })).rejects.toThrow(
    '203.0.113.0/28 uses port 1194.',
  );
  const shown = await asApplication(() => hostDetails(places.db, places.clock.now(), 'bkk-1'));
  expect(shown).toMatchObject({
    id: 'bkk-1',
    state: 'enrolling',
    capacity: 5,
    dns: ['1.1.1.1', '9.9.9.9'],
    free: 28,
    pools: [
      { id: '198.51.100.0/28', port: 1194, tcpPort: 443, addresses: 14, taken: 0, bind: null },
      { id: '203.0.113.0/28' },
    ],
  });
  await expect(set('nowhere', { dns: '1.1.1.1' })).rejects.toThrow('There is no host nowhere');
});

test('V11 FV14 behind 1:1 NAT the host binds one address, and files name the other and its port', async () => {
  await add('aws-1', { pool: '54.1.0.16/30=10.0.0.4/30', port: '443' });
  await enrolled('aws-1');
  const { id } = await places.placed();
  expect((await setOf('aws-1')).subscriptions).toMatchObject([
    { id, publicAddress: '54.1.0.17', bindAddress: '10.0.0.5', port: 443 },
  ]);
});

test('V16 a range answers over TCP on port 443, another port or none, which may change', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const { id } = await places.placed();
  const portOf = async (since: number) => (await setOf('bkk-1', since)).subscriptions[0]?.tcpPort;
  const before = await revision('bkk-1');
  expect(await portOf(0)).toBe(443);
  const pool = '198.51.100.0/28';
  await set('bkk-1', { pool, tcp: '8443' });
  const after = await revision('bkk-1');
  expect(after).toBe(before + 1);
  expect(await portOf(before)).toBe(8443);
  // The same value, or none, changes nothing.
  await set('bkk-1', { pool, tcp: '8443' });
  await set('bkk-1', { pool });
  expect(await revision('bkk-1')).toBe(after);
  await set('bkk-1', { pool, tcp: 'none' });
  await revision('bkk-1');
  expect((await setOf('bkk-1', after)).subscriptions).toMatchObject([{ id }]);
  expect((await setOf('bkk-1')).subscriptions[0]).not.toHaveProperty('tcpPort');
});

test('FV1 a range divides its IPv6 prefix among its addresses, also when it is set later', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const { id } = await places.placed();
  const before = await revision('bkk-1');
  expect((await setOf('bkk-1')).subscriptions[0]).not.toHaveProperty('prefix6');
  await set('bkk-1', { pool: '198.51.100.0/28+2001:db8:7::/60' });
  expect(await revision('bkk-1')).toBe(before + 1);
  const [only] = (await setOf('bkk-1', before)).subscriptions;
  const nth = Number(only!.publicAddress.split('.')[3]);
  expect(only).toMatchObject({ id, prefix6: `2001:db8:7:${nth.toString(16)}::/64` });
  // The same prefix changes nothing.
  await set('bkk-1', { pool: '198.51.100.0/28+2001:db8:7::/60' });
  expect(await revision('bkk-1')).toBe(before + 1);
  await expect(add('bkk-2', { pool: '203.0.113.0/28+2001:db8:7:8::/64' })).rejects.toThrow(
    '2001:db8:7:8::/64 overlaps 2001:db8:7::/60 of 198.51.100.0/28',
  );
  const { pools } = await asApplication(() => hostDetails(places.db, places.clock.now(), 'bkk-1'));
  expect(pools).toMatchObject([{ prefix6: '2001:db8:7::/60' }]);
});

/** Creates a paid subscription with a host. */
async function paidAndPlaced(): Promise<string> {
  const { id } = await places.placed();
  await places.all
    .updateTable('subscription')
    .set({ status: 'active', period_start: places.clock.now(), period_end: places.clock.now() })
    .where('id', '=', id)
    .execute();
  return id;
}

test('a host with an unpaid subscription has an alert until it is removed', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const id = await paidAndPlaced();
  const seen = async () => {
    const [host] = await asApplication(() => entitlementDrift(places.db));
    const open = await asApplication(() => listAlerts(places.db));
    const alerts = open.map(({ kind, subject, what }) => `${kind} ${subject} ${JSON.stringify(what)}`);
    const lines = (await asApplication(() => driftByHost(places.db))).flatMap(each => each.lines);
    return { ...host, sum: driftSum(host!), open: alerts, lines };
  };
  expect(await seen()).toMatchObject({
    id: 'bkk-1',
    behind: 2,
    unserved: 1,
    unpaid: 0,
    sum: 3,
    open: [],
    lines: ['has not applied its last 2 changes', 'does not serve 1 paid subscriptions'],
  });
  const at = await revision('bkk-1');
  const report = { revision: at, subscriptions: [{ id, state: 'up' as const }] };
  const drift = [{ what: 'session' as const, more: 1, missing: 2 }];
  await places.report('bkk-1', { ...report, drift });
  expect(await seen()).toMatchObject({
    behind: 0,
    unserved: 0,
    drift,
    sum: 3,
    open: ['entitlement.drift bkk-1 {"session":"+1 -2"}'],
    lines: ['sessions: 1 too many, 2 missing'],
  });
  await places.report('bkk-1', report);
  expect(await seen()).toMatchObject({ drift: [], sum: 0, open: [], lines: [] });
  await places.all.updateTable('subscription').set({ status: 'expired' }).where('id', '=', id).execute();
  expect(await seen()).toMatchObject({
    unpaid: 1,
    sum: 1,
    lines: ['still has 1 unpaid subscriptions'],
  });
});

test('a host that does not run its desired set has an alert, even when its kernel reports no drift', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const id = await paidAndPlaced();
  const open = async () => (await asApplication(() => listAlerts(places.db))).map(({ what }) => what);
  const failed = { subscriptions: [{ id, state: 'failed' as const }] };
  const at = await revision('bkk-1');
  // What has just started, or failed for a moment, raises no alert.
  await places.report('bkk-1', { revision: at - 1, ...failed });
  await places.report('bkk-1', { revision: at, subscriptions: [{ id, state: 'up' }] });
  await places.pass(3_600_000);
  await places.report('bkk-1', { revision: at, ...failed });
  expect(await open()).toEqual([]);
  await places.pass(60_000);
  await places.report('bkk-1', { revision: at, ...failed });
  expect(await open()).toEqual([{ failed: 1 }]);
  await places.report('bkk-1', { revision: at, subscriptions: [{ id, state: 'up' }] });
  expect(await open()).toEqual([]);

  // Everything runs, but the host never polls and so does not remove a deleted key.
  await asApplication(() => places.db.transaction().execute(tx => markDirty(places, tx, id)));
  const up = { revision: at, subscriptions: [{ id, state: 'up' as const }] };
  // The change is due since the first report after it, however many follow.
  for (const ms of [0, 30_000]) {
    await places.pass(ms);
    await places.report('bkk-1', up);
  }
  expect(await open()).toEqual([]);
  await places.pass(30_000);
  await places.report('bkk-1', up);
  expect(await open()).toEqual([{ behind: 1 }]);
  const next = await revision('bkk-1');
  const shown = await asApplication(() => hostDetails(places.db, places.clock.now(), 'bkk-1'));
  expect(shown.behind).toBe(1);
  await places.report('bkk-1', { ...up, revision: next });
  expect(await open()).toEqual([]);
});

test('advancing the shop clock makes no host late or failed', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const id = await paidAndPlaced();
  const report = { revision: await revision('bkk-1'), subscriptions: [{ id, state: 'failed' as const }] };
  await asApplication(() => places.db.transaction().execute(tx => markDirty(places, tx, id)));
  await places.report('bkk-1', report);
  const open = async () => (await asApplication(() => listAlerts(places.db))).map(({ what }) => what);
  places.clock.advance(3_600_000);
  await places.inTransaction(tx => shiftHostTimes(tx, 3_600_000));
  await places.report('bkk-1', report);
  expect(await open()).toEqual([]);
  await places.pass(60_000);
  await places.report('bkk-1', report);
  expect(await open()).toEqual([{ behind: 1, failed: 1 }]);
});

test('paid subscriptions without a host in service are counted, but not those that wait for their first', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  await enrolled('bkk-1');
  const nowhere = () => asApplication(() => servedNowhere(places.db));
  await places.subscription();
  await paidAndPlaced();
  expect(await nowhere()).toBe(0);
  await places.all.updateTable('assignment').set({ status: 'leaving' }).execute();
  expect(await nowhere()).toBe(1);
  await places.all.updateTable('assignment').set({ status: 'up' }).execute();
  await places.all.updateTable('host').set({ status: 'retired' }).execute();
  expect(await nowhere()).toBe(1);
});

test('K7 a host takes subscriptions up to its capacity, by its weight, and none while draining', async () => {
  await add('large', { pool: '198.51.100.0/28', weight: '300' });
  await add('small', { pool: '203.0.113.0/28', weight: '100', capacity: '2' });
  await enrolled('large', 'small');
  const chosen: string[] = [];
  for (let n = 0; n < 8; n += 1)
    chosen.push((await places.assignmentsOf((await places.placed()).id))[0]!.host_id);
  expect(chosen.filter(host => host === 'small')).toHaveLength(2);
  expect(chosen.slice(0, 4).sort()).toEqual(['large', 'large', 'large', 'small']);
  expect(await asApplication(() => drainHost(places, 'large', true))).toEqual({ runs: 6, reserved: 0 });
  await expect(places.placed()).rejects.toThrow('no host is free');
  await asApplication(() => drainHost(places, 'large', false));
  await places.placed();
});

test('FV21 a host with a set gets its changes, another gets everything', async () => {
  await places.host('only', '198.51.100.0/28');
  const first = await places.placed();
  const second = await places.placed();
  const at = await revision('only');
  await places.report('only', { revision: at, subscriptions: [{ id: first.id, state: 'up' }] });
  const third = await places.placed();
  await places.all
    .updateTable('assignment')
    .set({ status: 'leaving' })
    .where('subscription_id', '=', second.id)
    .execute();
  await places.all
    .insertInto('pending_change')
    .values({ host_id: 'only', subscription_id: second.id, customer_id: second.customerId })
    .execute();
  const next = await revision('only');
  const changes = await setOf('only', at);
  expect(changes).toMatchObject({ base: at, revision: next, gone: [second.id] });
  expect(changes.subscriptions.map(({ id }) => id)).toEqual([third.id]);
  // Until the host reports it as applied, it gets the same again, and everything if it lost its disk.
  expect(await setOf('only', at)).toEqual(changes);
  for (const since of [0, at - 1]) {
    const whole = await setOf('only', since);
    expect(whole).not.toHaveProperty('base');
    expect(whole.subscriptions.map(({ id }) => id)).toEqual([first.id, third.id]);
    // With a set, the host refuses what is in `gone`.
    expect(whole.restored).toBe(since > 0 ? true : undefined);
  }
  const ahead = await setOf('only', next + 1);
  expect(ahead).toMatchObject({ restored: true });
  expect(ahead).not.toHaveProperty('base');
  expect(await setOf('only', next)).toMatchObject({ base: next, subscriptions: [], gone: [] });
  await places.report('only', { revision: next });
  expect(await places.all.selectFrom('pending_change').selectAll().execute()).toEqual([]);
});

test('FV21 concurrent polls assign each change one revision, and both get it', async () => {
  await add('bkk-1', { pool: '198.51.100.0/28' });
  const before = await revision('bkk-1');
  const change = () => markHostDirty(places.live, places.db, 'bkk-1');
  /** Polls while another transaction has assigned the revision and not committed. */
  const whileTaken = (meanwhile: () => Promise<void>) =>
    asApplication(async () => {
      const { next } = await places.db.transaction().execute(async tx => {
        await assignRevision(tx, 'bkk-1');
        await meanwhile();
        const next = revision('bkk-1');
        await new Promise(done => setTimeout(done, 100));
        return { next };
      });
      return next;
    });
  await asApplication(change);
  expect(await whileTaken(async () => undefined)).toBe(before + 1);
  await asApplication(change);
  // A change does not wait for a poll.
  expect(await whileTaken(change)).toBe(before + 3);
  expect(await revision('bkk-1')).toBe(before + 3);
});
