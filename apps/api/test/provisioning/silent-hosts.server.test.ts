import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { hasRoom } from '../../src/modules/catalog/index.ts';
import { hostList } from '../../src/modules/provisioning/index.ts';
import { assignRevision } from '../../src/modules/provisioning/pending-change.ts';
import { placeWaiting, waitingForHost } from '../../src/modules/subscription/place-waiting.ts';
import type { Signer } from '../../src/ports/signer.ts';

/** Hosts that fall silent, or are heard and bring nothing up: who buys meanwhile, and who had just bought. */
const MINUTE_MS = 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

/** Certificates of these hosts are texts: nothing connects. */
const signer = {
  renewServer: async () => ({
    serverCertificate: 'certificate',
    serverKeySealed: Buffer.from('key'),
    serverNotAfter: new Date('2100-01-01T00:00:00Z'),
  }),
} as unknown as Signer;
/** Until when an address that is given up rests. */
const restsUntil = async (address: string) => {
  const row = places.all.selectFrom('static_ip').select('cooldown_until').where('address', '=', address);
  return (await row.executeTakeFirstOrThrow()).cooldown_until;
};
/** Regions that a buyer is shown with a free address. */
const freePlaces = async () => {
  const offers = await asApplication(() =>
    places.db.selectFrom('offer').select('region_id').where(hasRoom(places.clock.now())).execute(),
  );
  return offers.map(({ region_id }) => region_id);
};
const waiting = () => asApplication(() => waitingForHost(places.db, places.clock.now()));
const again = (id: string) => asApplication(() => placeWaiting({ ...places, signer }, id));

test('FV5 a silent host gets no new customer, and its place is not shown as free', async () => {
  await places.host('silent', '198.51.100.0/28');
  places.clock.advance(MINUTE_MS);
  await places.host('there', '203.0.113.1/32');
  expect((await places.runs((await places.placed()).id))[0]!.host_id).toBe('silent');
  places.clock.advance(2 * MINUTE_MS);
  expect((await places.runs((await places.placed()).id))[0]!.host_id).toBe('there');
  const waits = await places.subscription();
  expect(await places.inOne(tx => places.place(tx, waits))).toBe(false);
  expect(await freePlaces()).toEqual([]);
  await places.report('silent', {});
  expect(await freePlaces()).toEqual(['th-bkk']);
  expect(await places.inOne(tx => places.place(tx, waits))).toBe(true);
  expect((await places.runs(waits.id))[0]!.host_id).toBe('silent');
});

test('FV5 what was never up is placed again with another address, and the silent host has it no more', async () => {
  await places.host('silent', '198.51.100.1/32');
  const { id } = await places.placed();
  places.clock.advance(3 * MINUTE_MS);
  expect(await waiting()).toEqual([]);
  await again(id);
  expect(await places.runs(id)).toEqual([{ host_id: 'silent', status: 'desired' }]);

  await places.host('there', '203.0.113.1/32');
  expect(await waiting()).toEqual([id]);
  for (let n = 0; n < 2; n += 1) await again(id);
  expect(await places.runs(id)).toEqual([
    { host_id: 'silent', status: 'leaving' },
    { host_id: 'there', status: 'desired' },
  ]);
  expect(await places.addressOf(id)).toBe('203.0.113.1');
  expect(await restsUntil('198.51.100.1')).toBeNull();
  expect(await waiting()).toEqual([]);

  // Back again: it does not fail with what has left it meanwhile, of which it is told, and its address is for the next buyer.
  await places.report('silent', {});
  expect(await asApplication(() => listAlerts(places.db))).toEqual([]);
  const revision = await asApplication(async () => (await assignRevision(places.db, 'silent')).now);
  await places.report('silent', { revision });
  expect(await places.runs(id)).toEqual([{ host_id: 'there', status: 'desired' }]);
  expect((await places.runs((await places.placed()).id))[0]!.host_id).toBe('silent');
});

test('FV25 an address that is the host’s own is nobody’s: who has got it has another, and no place is shown for it', async () => {
  await places.host('own', '198.51.100.0/30');
  const { id } = await places.placed();
  expect(await places.addressOf(id)).toBe('198.51.100.1');
  const failed = { subscriptions: [{ id, state: 'failed' as const, reason: 'ownAddress' }] };
  const says = (ownAddresses?: string[]) => places.report('own', { ...failed, ownAddresses });
  expect(await says(['198.51.100.1', '192.0.2.1'])).toMatchObject({ misplaced: [id] });
  await again(id);
  expect(await places.addressOf(id)).toBe('198.51.100.2');
  expect((await places.runs(id)).map(({ status }) => status).sort()).toEqual(['desired', 'leaving']);

  // An agent of an earlier version does not say: what was said holds.
  await says();
  expect(await freePlaces()).toEqual([]);
  const line = (await asApplication(() => hostList(places.db, places.clock.now())))[0];
  expect(line).toMatchObject({ free: 0, addresses: 2 });
  const waits = await places.subscription();
  expect(await places.inOne(tx => places.place(tx, waits))).toBe(false);
  await says(['198.51.100.3']);
  expect(await freePlaces()).toEqual(['th-bkk']);
  expect(await places.inOne(tx => places.place(tx, waits))).toBe(true);
  expect(await places.addressOf(waits.id)).toBe('198.51.100.1');
});

test('FV25 where there is no other he waits for one, and his host is not said to fail', async () => {
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

test('FV25 nobody gets an address that is another host’s own, as long as that is in service', async () => {
  await places.host('one', '198.51.100.0/30');
  await places.host('two');
  await places.report('two', { ownAddresses: ['198.51.100.1'] });
  const { id } = await places.placed();
  expect(await places.addressOf(id)).toBe('198.51.100.2');
  expect(await freePlaces()).toEqual([]);
  await places.all.updateTable('host').set({ status: 'retired' }).where('id', '=', 'two').execute();
  expect(await freePlaces()).toEqual(['th-bkk']);
});

test('FV25 who has begun keeps his address when it becomes the host’s own: his files name it; so does who has another', async () => {
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
  // Who has another address there has no reason to.
  expect(await places.addressOf(beside)).toBe('198.51.100.2');
});

test.each([
  ['fails with it', (id: string) => [{ id, state: 'failed' as const }]],
  ['applies nothing', () => []],
])(
  'FV5 what was never up leaves a host that is heard and %s, for one that does not fail',
  async (_, said) => {
    await places.host('broken', '198.51.100.0/28');
    const { id } = await places.placed();
    const report = (host: string) => places.report(host, { subscriptions: said(id) });
    const minute = async () => {
      await places.pass(MINUTE_MS);
      await report('broken');
    };
    await report('broken');
    await places.pass(MINUTE_MS);
    // Not before it is said to fail: he would come to it again.
    expect(await waiting()).toEqual([]);
    await report('broken');
    // There is no other.
    expect(await waiting()).toEqual([]);
    await again(id);
    expect(await places.runs(id)).toEqual([
      { host_id: 'broken', status: expect.not.stringMatching('leaving') },
    ]);

    await places.host('there', '203.0.113.0/28');
    expect(await waiting()).toEqual([id]);
    await again(id);
    expect((await places.runs(id))[1]).toEqual({ host_id: 'there', status: 'desired' });
    // What did not work is not for the next buyer at once.
    const hour = new Date(places.clock.now().getTime() + 60 * MINUTE_MS);
    expect(await restsUntil('198.51.100.1')).toEqual(hour);
    expect(await waiting()).toEqual([]);
    // Who buys now goes where nothing fails, though that runs as many.
    expect((await places.runs((await places.placed()).id))[0]!.host_id).toBe('there');

    // It does not begin there either: nobody is sent to and fro.
    await minute();
    await report('there');
    expect(await waiting()).toEqual([]);
    await again(id);
    expect((await places.runs(id))[1]!.host_id).toBe('there');
  },
);

test('FV5 no host is said to fail with what it looks at just now, or was not given', async () => {
  await places.host('there', '203.0.113.0/28');
  const { id } = await places.placed();
  const said = async (subscriptions: Parameters<typeof places.report>[1]['subscriptions']) => {
    await places.report('there', { subscriptions });
    const open = await asApplication(() => listAlerts(places.db));
    return open.map(({ kind, what }) => [kind, what]);
  };
  await places.pass(2 * MINUTE_MS);
  expect(await said([{ id, state: 'checking' }])).toEqual([]);
  // The host before may serve its address still.
  await places.host('before', '198.51.100.0/28');
  const { id: other } = await places.placed();
  const address = await places.addressOf(id);
  await places.all
    .updateTable('assignment')
    .set({ address: address!, status: 'leaving' })
    .where('subscription_id', '=', other)
    .execute();
  expect(await said([])).toEqual([]);
  await places.all.deleteFrom('assignment').where('subscription_id', '=', other).execute();
  expect(await said([])).toEqual([['delivery.failed', { checks: 'start' }]]);
});

test('FV5 what was up once stays: its address is what its customer has', async () => {
  await places.host('silent', '198.51.100.1/32');
  const { id } = await places.placed();
  await places.all.updateTable('subscription').set({ started_at: places.clock.now() }).execute();
  places.clock.advance(3 * MINUTE_MS);
  await places.host('there', '203.0.113.1/32');
  expect(await waiting()).toEqual([]);
  await again(id);
  expect(await places.runs(id)).toEqual([{ host_id: 'silent', status: 'desired' }]);
  expect(await places.addressOf(id)).toBe('198.51.100.1');
});
