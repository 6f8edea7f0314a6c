import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { hasRoom } from '../../src/modules/catalog/index.ts';
import { hostList, provisioningTasks } from '../../src/modules/provisioning/index.ts';
import { assignRevision } from '../../src/modules/provisioning/pending-change.ts';
import { placeWaiting, waitingForHost } from '../../src/modules/subscription/place-waiting.ts';
import type { Signer } from '../../src/ports/signer.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Silent and failing hosts, for new purchases and for subscriptions that have not started. */
const MINUTE_MS = 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

/** Hosts need no real certificates here: nothing connects. */
const signer = {
  renewServer: async () => ({
    serverCertificate: 'certificate',
    serverKeySealed: Buffer.from('key'),
    serverNotAfter: new Date('2100-01-01T00:00:00Z'),
  }),
} as unknown as Signer;
/** End of the cooldown of a released address. */
const restsUntil = async (address: string) => {
  const row = places.all.selectFrom('static_ip').select('cooldown_until').where('address', '=', address);
  return (await row.executeTakeFirstOrThrow()).cooldown_until;
};
/** Regions that are offered with a free address. */
const freePlaces = async () => {
  const offers = await asApplication(() =>
    places.db.selectFrom('offer').select('region_id').where(hasRoom(places.clock.now())).execute(),
  );
  return offers.map(({ region_id }) => region_id);
};
const waiting = () => asApplication(() => waitingForHost(places.db, places.clock.now()));
const again = (id: string) => asApplication(() => placeWaiting({ ...places, signer }, id));

test('FV5 a silent host gets no new subscription, and its place is not offered as free', async () => {
  await places.host('silent', '198.51.100.0/28');
  places.clock.advance(MINUTE_MS);
  await places.host('there', '203.0.113.1/32');
  expect((await places.assignmentsOf((await places.placed()).id))[0]!.host_id).toBe('silent');
  places.clock.advance(2 * MINUTE_MS);
  expect((await places.assignmentsOf((await places.placed()).id))[0]!.host_id).toBe('there');
  const waits = await places.subscription();
  expect(await places.inTransaction(tx => places.place(tx, waits))).toBe(false);
  expect(await freePlaces()).toEqual([]);
  await places.report('silent', {});
  expect(await freePlaces()).toEqual(['th-bkk']);
  expect(await places.inTransaction(tx => places.place(tx, waits))).toBe(true);
  expect((await places.assignmentsOf(waits.id))[0]!.host_id).toBe('silent');
});

test('FV5 a subscription that was never up leaves a silent host and gets another address', async () => {
  await places.host('silent', '198.51.100.1/32');
  const { id } = await places.placed();
  places.clock.advance(3 * MINUTE_MS);
  expect(await waiting()).toEqual([]);
  await again(id);
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'silent', status: 'desired' }]);

  await places.host('there', '203.0.113.1/32');
  expect(await waiting()).toEqual([id]);
  for (let n = 0; n < 2; n += 1) await again(id);
  expect(await places.assignmentsOf(id)).toEqual([
    { host_id: 'silent', status: 'leaving' },
    { host_id: 'there', status: 'desired' },
  ]);
  expect(await places.addressOf(id)).toBe('203.0.113.1');
  expect(await restsUntil('198.51.100.1')).toBeNull();
  expect(await waiting()).toEqual([]);

  // The host is back: it drops the subscription without failing, and its address is free for the next buyer.
  await places.report('silent', {});
  expect(await asApplication(() => listAlerts(places.db))).toEqual([]);
  const revision = await asApplication(async () => (await assignRevision(places.db, 'silent')).now);
  await places.report('silent', { revision });
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'there', status: 'desired' }]);
  expect((await places.assignmentsOf((await places.placed()).id))[0]!.host_id).toBe('silent');
});

test('FV25 an address that the host uses itself is not sold, and a new subscription gets another', async () => {
  await places.host('own', '198.51.100.0/30');
  const { id } = await places.placed();
  expect(await places.addressOf(id)).toBe('198.51.100.1');
  const failed = { subscriptions: [{ id, state: 'failed' as const, reason: 'ownAddress' }] };
  const says = (ownAddresses?: string[]) => places.report('own', { ...failed, ownAddresses });
  expect(await says(['198.51.100.1', '192.0.2.1'])).toMatchObject({ misplaced: [id] });
  await again(id);
  expect(await places.addressOf(id)).toBe('198.51.100.2');
  expect((await places.assignmentsOf(id)).map(({ status }) => status).sort()).toEqual(['desired', 'leaving']);

  // An older agent does not report its own addresses: the last report stays valid.
  await says();
  expect(await freePlaces()).toEqual([]);
  const line = (await asApplication(() => hostList(places.db, places.clock.now())))[0];
  expect(line).toMatchObject({ free: 0, addresses: 2 });
  const waits = await places.subscription();
  expect(await places.inTransaction(tx => places.place(tx, waits))).toBe(false);
  await says(['198.51.100.3']);
  expect(await freePlaces()).toEqual(['th-bkk']);
  expect(await places.inTransaction(tx => places.place(tx, waits))).toBe(true);
  expect(await places.addressOf(waits.id)).toBe('198.51.100.1');
});

test('FV25 a subscription waits when there is no other address, and its host does not count as failing', async () => {
  await places.host('own', '198.51.100.0/30');
  const [{ id }, other] = [await places.placed(), await places.placed()];
  const subscriptions = [
    { id, state: 'failed' as const, reason: 'ownAddress' },
    { id: other.id, state: 'up' as const },
  ];
  await places.report('own', { subscriptions, ownAddresses: ['198.51.100.1'] });
  await again(id);
  expect(await places.addressOf(id)).toBeUndefined();
  const { now: revision } = await asApplication(() => assignRevision(places.db, 'own'));
  await places.pass(MINUTE_MS);
  await places.report('own', { revision, subscriptions: subscriptions.slice(1) });
  expect(await asApplication(() => listAlerts(places.db))).toEqual([]);
  expect(await waiting()).toEqual([]);
  await places.host('there', '203.0.113.0/28');
  expect(await waiting()).toEqual([id]);
});

test('V42 a host takes no address of another host off sale; the claim raises an alert until it is gone', async () => {
  await places.host('one', '198.51.100.0/30');
  await places.host('two', '203.0.113.0/30');
  const alerts = async () => {
    const open = await asApplication(() => listAlerts(places.db));
    return open.map(({ kind, subject, what }) => ({ kind, subject, what }));
  };
  // Its own range, its router outside all ranges, and two addresses of the other host.
  const claimed = ['203.0.113.1', '192.0.2.1', '198.51.100.2', '198.51.100.1'];
  await places.report('two', { ownAddresses: claimed });
  const foreign = { addresses: '198.51.100.1, 198.51.100.2' };
  expect(await alerts()).toEqual([{ kind: 'host.foreignAddress', subject: 'two', what: foreign }]);
  const sold = [await places.placed(), await places.placed(), await places.placed()];
  const addresses = await Promise.all(sold.map(({ id }) => places.addressOf(id)));
  expect(addresses.toSorted()).toEqual(['198.51.100.1', '198.51.100.2', '203.0.113.2']);
  await places.report('two', { ownAddresses: claimed.slice(0, 2) });
  expect(await alerts()).toEqual([]);
});

test('FV25 a started subscription keeps its address when the host takes it over, because files name it', async () => {
  await places.host('own', '198.51.100.0/29');
  const { id } = await places.placed();
  await places.all.updateTable('subscription').set({ started_at: places.clock.now() }).execute();
  const { id: beside } = await places.placed();
  await places.report('own', {
    subscriptions: [{ id, state: 'failed', reason: 'ownAddress' }],
    ownAddresses: ['198.51.100.1'],
  });
  expect(await waiting()).toEqual([]);
  for (const each of [id, beside]) await again(each);
  expect(await places.addressOf(id)).toBe('198.51.100.1');
  // Subscriptions with other addresses of the host are not affected.
  expect(await places.addressOf(beside)).toBe('198.51.100.2');
});

test.each([
  ['fails to run it', (id: string) => [{ id, state: 'failed' as const }]],
  ['applies nothing', () => []],
])(
  'FV5 a subscription that was never up leaves a host that reports and %s, for one that does not fail',
  async (_, states) => {
    await places.host('broken', '198.51.100.0/28');
    const { id } = await places.placed();
    const report = (host: string) => places.report(host, { subscriptions: states(id) });
    const minute = async () => {
      await places.pass(MINUTE_MS);
      await report('broken');
    };
    await report('broken');
    await places.pass(MINUTE_MS);
    // Not before the host counts as failing: it would be chosen again.
    expect(await waiting()).toEqual([]);
    await report('broken');
    // There is no other host.
    expect(await waiting()).toEqual([]);
    await again(id);
    expect(await places.assignmentsOf(id)).toEqual([
      { host_id: 'broken', status: expect.not.stringMatching('leaving') },
    ]);

    await places.host('there', '203.0.113.0/28');
    expect(await waiting()).toEqual([id]);
    await again(id);
    expect((await places.assignmentsOf(id))[1]).toEqual({ host_id: 'there', status: 'desired' });
    // An address that did not work cools down first.
    const hour = new Date(places.clock.now().getTime() + 60 * MINUTE_MS);
    expect(await restsUntil('198.51.100.1')).toEqual(hour);
    expect(await waiting()).toEqual([]);
    // A new purchase goes to the host that does not fail, although its load is equal.
    expect((await places.assignmentsOf((await places.placed()).id))[0]!.host_id).toBe('there');

    // It does not start there either, and is not moved back and forth.
    await minute();
    await report('there');
    expect(await waiting()).toEqual([]);
    await again(id);
    expect((await places.assignmentsOf(id))[1]!.host_id).toBe('there');
  },
);

test('FV5 a host does not count as failing while a check runs, or for what it was not given', async () => {
  await places.host('there', '203.0.113.0/28');
  const { id } = await places.placed();
  const alertsFor = async (subscriptions: Parameters<typeof places.report>[1]['subscriptions']) => {
    await places.report('there', { subscriptions });
    const open = await asApplication(() => listAlerts(places.db));
    return open.map(({ kind, what }) => [kind, what]);
  };
  await places.pass(2 * MINUTE_MS);
  expect(await alertsFor([{ id, state: 'checking' }])).toEqual([]);
  // The first host may still serve its address.
  await places.host('before', '198.51.100.0/28');
  const { id: other } = await places.placed();
  const address = await places.addressOf(id);
  await places.all
    .updateTable('assignment')
    .set({ address: address!, status: 'leaving' })
    .where('subscription_id', '=', other)
    .execute();
  expect(await alertsFor([])).toEqual([]);
  await places.all.deleteFrom('assignment').where('subscription_id', '=', other).execute();
  expect(await alertsFor([])).toEqual([['delivery.failed', { checks: 'start' }]]);
});

test('FV5 a subscription that was up once stays, because its customer has its address', async () => {
  await places.host('silent', '198.51.100.1/32');
  const { id } = await places.placed();
  await places.all.updateTable('subscription').set({ started_at: places.clock.now() }).execute();
  places.clock.advance(3 * MINUTE_MS);
  await places.host('there', '203.0.113.1/32');
  expect(await waiting()).toEqual([]);
  await again(id);
  expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'silent', status: 'desired' }]);
  expect(await places.addressOf(id)).toBe('198.51.100.1');
});

test('a host whose agent is older than the newest package has an alert until it is updated', async () => {
  for (const [id, pool] of [
    ['old', '198.51.100.0/28'],
    ['new', '203.0.113.0/28'],
  ] as const)
    await places.host(id, pool);
  await places.report('old', { agentVersion: '0.2.0+20261129055504' });
  await places.report('new', { agentVersion: '0.2.0+20261201000000' });
  const lines = await hostList(places.all, places.clock.now());
  expect(lines.map(({ id, agent }) => [id, agent])).toEqual([
    ['new', '0.2.0+20261201000000'],
    ['old', '0.2.0+20261129055504'],
  ]);
  const task = taskNamed(provisioningTasks, 'alertOldAgents', {
    ...places,
    newestAgent: async () => '0.2.0+20261201000000',
  });
  const alerts = async () => {
    await asApplication(() => task.run());
    const open = await listAlerts(places.all);
    return open
      .filter(({ kind }) => kind === 'host.oldAgent')
      .map(({ subject, what }) => ({ subject, what }));
  };
  expect(await alerts()).toEqual([
    { subject: 'old', what: { agent: '0.2.0+20261129055504', newest: '0.2.0+20261201000000' } },
  ]);
  await places.report('old', { agentVersion: '0.2.0+20261201000000' });
  expect(await alerts()).toEqual([]);
});
