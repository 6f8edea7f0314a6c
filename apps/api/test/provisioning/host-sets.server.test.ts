import { randomBytes, X509Certificate } from 'node:crypto';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import { createVault, singleKeyring } from '@fixpoint/api/crypto/vault.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import type { Check } from '@fixpoint/contract/agent.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { notifyAddressRelease, reserveAddress } from '../../src/modules/provisioning/address-reservation.ts';
import { desiredSet } from '../../src/modules/provisioning/desired-set.ts';
import {
  hasAddress,
  leaveHost,
  openHostAuthority,
  ownRanges,
  provisioningTasks,
  renewServerCertificate,
  resumeIdentity,
} from '../../src/modules/provisioning/index.ts';
import { assignRevision, overtakeHost } from '../../src/modules/provisioning/pending-change.ts';
import { newProbe } from '../../src/modules/provisioning/probe.ts';
import type { Jobs } from '../../src/ports/jobs.ts';
import type { Signer } from '../../src/ports/signer.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Desired sets, identities and reservations of subscriptions. */
const DAY_MS = 24 * 60 * 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
  await places.host('only', '198.51.100.0/28');
});
afterEach(() => places?.stop());

/** Hosts need no real certificates here: nothing connects. */
const AGAIN = new Date('2101-01-01T00:00:00Z');
const signer = {
  openServerKey: () => '',
  openTlsCrypt: () => '',
  newClient: async (_: unknown, { keyId }: { keyId: string }) => ({
    certificate: `of ${keyId}`,
    privateKey: 'key',
    serial: '1',
  }),
  renewServer: async () => ({
    serverCertificate: 'again',
    serverKeySealed: Buffer.from('again'),
    serverNotAfter: AGAIN,
  }),
} as unknown as Signer;
const setOf = async () => {
  const now = places.clock.now();
  return (await asApplication(() => desiredSet(places.db, signer, now, 'only', 0))).subscriptions[0]!;
};
const revision = () => asApplication(async () => (await assignRevision(places.db, 'only')).now);
const as = (id: string) => places.all.updateTable('subscription').where('id', '=', id);

test('a desired set says until when a subscription is paid, what its keys may do, and whether it is suspended', async () => {
  const { id, customerId } = await places.placed();
  const fresh = await setOf();
  expect(fresh).toMatchObject({ id, keys: [], probe: { certificate: `of probe_${id}` } });
  for (const none of ['suspended', 'endsAt']) expect(fresh).not.toHaveProperty(none);

  const end = new Date(places.clock.now().getTime() + 30 * DAY_MS);
  await as(id)
    .set({ status: 'active', period_start: places.clock.now(), period_end: end, cancel_at_period_end: true })
    .execute();
  const key = { subscription_id: id, customer_id: customerId, created_at: places.clock.now() };
  await places.all
    .insertInto('vpn_key')
    .values([
      { ...key, id: 'key_a', name: 'a', address: 2 },
      { ...key, id: 'key_b', name: 'b', address: 3, forwarded_port: 8080 },
    ])
    .execute();
  await places.all
    .insertInto('key_rate')
    .values({ key_id: 'key_a', customer_id: customerId, rate_mbit: 7 })
    .execute();
  const paid = await setOf();
  expect(paid).toMatchObject({ endsAt: end.toISOString() });
  expect(paid.keys).toEqual([
    { id: 'key_a', address: 2, rateMbit: 7 },
    { id: 'key_b', address: 3, forwardedPort: 8080 },
  ]);
  expect(paid).not.toHaveProperty('probe');
  // A revoked file that has not expired.
  const certificate = { key_id: 'key_a', customer_id: customerId, not_after: end, profile_version: '1' };
  await places.all
    .insertInto('certificate')
    .values([
      { ...certificate, serial: '0A', revoked: true },
      { ...certificate, serial: '0B', revoked: false },
      { ...certificate, serial: '0C', revoked: true, not_after: places.clock.now() },
    ])
    .execute();
  expect((await setOf()).revoked).toEqual([{ keyId: 'key_a', serial: '0A', endsAt: end.toISOString() }]);
  await as(id).set({ suspended: true }).execute();
  expect(await setOf()).toMatchObject({ suspended: true, keys: [] });
});

test('FV4 the shop advances past the revision of a host that is ahead, and of no other', async () => {
  await places.placed();
  const known = await revision();
  const overtake = (by: number) => asApplication(() => overtakeHost(places.db, 'only', by));
  expect(await overtake(known - 1)).toBe(false);
  expect(await revision()).toBe(known);
  expect(await overtake(known)).toBe(true);
  expect(await revision()).toBe(known + 1);
});

test('a server certificate is renewed only near its end, and reaches its host once', async () => {
  const { id } = await places.placed();
  const { id: assignment } = await places.all.selectFrom('assignment').select('id').executeTakeFirstOrThrow();
  const renew = (which: string) => asApplication(() => renewServerCertificate({ ...places, signer }, which));
  const before = await revision();
  await renew('asg_none');
  await renew(assignment);
  expect(await revision()).toBe(before);
  const soon = new Date(places.clock.now().getTime() + 60 * DAY_MS);
  await places.all.updateTable('assignment').set({ server_not_after: soon }).execute();
  await renew(assignment);
  expect(await revision()).toBe(before + 1);
  expect(await setOf()).toMatchObject({ id, serverCertificate: 'again' });
});

test('an identity is resumed where it still exists, and replaced where it does not', async () => {
  const subscription = await places.placed();
  const identity = () =>
    places.all.selectFrom('subscription_identity').select(['ca', 'ended_at']).executeTakeFirst();
  const fresh = {
    serverName: 'again',
    ca: 'new ca',
    caKeySealed: Buffer.from('key'),
    tlsCryptSealed: Buffer.from('key'),
  } as Parameters<typeof resumeIdentity>[2];
  const resume = () => places.inTransaction(tx => resumeIdentity(tx, subscription, fresh));
  await places.all.updateTable('subscription_identity').set({ ended_at: places.clock.now() }).execute();
  await resume();
  expect(await identity()).toEqual({ ca: `ca of ${subscription.id}`, ended_at: null });
  await places.all.deleteFrom('assignment').execute();
  await places.all.deleteFrom('subscription_identity').execute();
  await resume();
  expect(await identity()).toEqual({ ca: 'new ca', ended_at: null });
});

test('U68 the holder of a reserved address is notified once, three days before its release, and never late', async () => {
  const { id, customerId } = await places.placed();
  const address = (await places.addressOf(id))!;
  const has = () => asApplication(() => hasAddress(places.db, id));
  expect(await has()).toBe(true);
  const emails: unknown[] = [];
  const jobs = { enqueue: async (...[, , message]: unknown[]) => emails.push(message) } as unknown as Jobs;
  const notify = () => places.inTransaction(tx => notifyAddressRelease({ ...places, jobs }, tx, address));
  const reserve = () => places.inTransaction(tx => reserveAddress(places, tx, id));
  await places.inTransaction(tx => leaveHost(places, tx, id));
  await reserve();
  const until = new Date(places.clock.now().getTime() + 30 * DAY_MS);
  await places.pass(27 * DAY_MS - 1);
  await notify();
  expect(emails).toEqual([]);
  await places.pass(1);
  // The worker does, and whoever comes after it does not.
  const { run } = taskNamed(provisioningTasks, 'tellHolders', { ...places, jobs });
  await asApplication(run);
  await notify();
  expect(emails).toEqual([{ template: 'addressHeld', customerId, subjectId: id, copy: until.toISOString() }]);
  await reserve();
  await places.pass(30 * DAY_MS);
  await notify();
  expect(emails).toHaveLength(1);
  const free = { subscription_id: null, customer_id: null, reserved_until: null };
  await places.all.updateTable('static_ip').set(free).execute();
  expect(await has()).toBe(false);
});

test('S85 the public ranges of a customer are their addresses, each with its part of the IPv6 prefix', async () => {
  const { id, customerId } = await places.placed();
  await places.placed();
  const own = () => asApplication(() => ownRanges(places.db, customerId));
  expect(await own()).toEqual([{ id, ranges: ['198.51.100.1'] }]);
  await places.all.updateTable('address_pool').set({ prefix6: '2001:db8:7::/60' }).execute();
  expect(await own()).toEqual([{ id, ranges: ['198.51.100.1', '2001:db8:7:1::/64'] }]);
});

test('V41 a host whose clock is a week fast still accepts its probe', async () => {
  const ends: Date[] = [];
  const issuing: Signer = {
    ...signer,
    newClient: async (authority, { notAfter, ...rest }) => {
      ends.push(notAfter);
      return signer.newClient(authority, { notAfter, ...rest });
    },
  };
  const now = places.clock.now();
  await newProbe(issuing, { subscriptionId: 'sub_x', ca: 'ca', caKeySealed: Buffer.from('key') }, [], now);
  expect(ends[0]!.getTime() - now.getTime()).toBeGreaterThan(7 * 24 * 60 * 60_000);
});

test('a probe gets an address that no key has, and is left out when there is none', async () => {
  const authority = { subscriptionId: 'sub_x', ca: 'ca', caKeySealed: Buffer.from('key') };
  const now = places.clock.now();
  const probe = async (...taken: number[]) =>
    newProbe(
      signer,
      authority,
      taken.map(address => ({ address })),
      now,
    );
  const first = (await probe())!;
  expect(first).toMatchObject({ certificate: 'of probe_sub_x', key: 'key' });
  expect((await probe(2, first.address))!.address).toBe(first.address - 1);
  expect(await probe(...Array.from({ length: 31 }, (_, n) => n + 2))).toBeUndefined();
});

test('a failed delivery check keeps its alert until one succeeds; one that could not run proves nothing', async () => {
  const { id } = await places.placed();
  const shows = async (...unproven: Check[]) => {
    await places.report('only', { subscriptions: [{ id, state: 'failed', unproven }] });
    const open = await asApplication(() => listAlerts(places.db));
    return new Set(open.map(({ kind }) => kind));
  };
  const both = new Set(['delivery.unchecked', 'delivery.failed']);
  expect(await shows('dns')).toEqual(new Set(['delivery.failed']));
  expect(await shows('probe')).toEqual(both);
  await places.report('only', { subscriptions: [{ id, state: 'failed' }] });
  expect(await shows('dns')).toEqual(both);
  expect(await shows()).toEqual(new Set());
});

test('the certificate of the hosts’ listener is kept for as long as it holds half a year more', async () => {
  const real = createVaultSigner(createVault(singleKeyring(randomBytes(32))));
  const open = () => asApplication(() => openHostAuthority(places.db, real, places.clock));
  const first = await open();
  expect(await open()).toEqual(first);
  const ends = new X509Certificate(first.tlsCertificate).validToDate.getTime();
  places.clock.advance(ends - 181 * DAY_MS - places.clock.now().getTime());
  expect(await open()).toEqual(first);
  places.clock.advance(2 * DAY_MS);
  const next = await open();
  expect(next.ca).toBe(first.ca);
  expect(next.tlsCertificate).not.toBe(first.tlsCertificate);
  expect(await open()).toEqual(next);
});
