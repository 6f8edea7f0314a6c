import { randomBytes } from 'node:crypto';
import { asApplication } from '@fixpoint/api/adapters/database/scope.ts';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import { createVault } from '@fixpoint/api/secrets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeUpChanges } from '../src/modules/provisioning/host-change.ts';
import { newHostToken } from '../src/modules/provisioning/index.ts';
import { openPlaces, type Places } from './places.ts';

/** What the operator says of a host. */
let places: Places;
beforeAll(async () => {
  places = await openPlaces();
});
afterAll(() => places?.stop());

const signer = createVaultSigner(createVault(randomBytes(32)));
const HOST = {
  ...{ id: 'bkk-1', providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' },
  addressPool: '198.51.100.0/28',
};
const token = (change: Partial<Parameters<typeof newHostToken>[1]> = {}) =>
  asApplication(() => newHostToken({ ...places, signer }, { ...HOST, ...change }));
const hosts = () => places.all.selectFrom('host').select(['id', 'dns', 'region_id']).execute();

test('FV14 a name or resolver that is none is refused, all at once, and nothing is kept of it', async () => {
  for (const id of ['../x', 'a.b', 'A', '', 'a'.repeat(33), '-a'])
    await expect(token({ id }), id).rejects.toThrow('is no name of a host');
  const dns = ['nonsense', '192.168.0.1', '2001:db8::1'];
  await expect(token({ id: '../x', dns })).rejects.toThrow(
    /^\.\.\/x is no name.*; nonsense is no IPv4.*; 192\.168\.0\.1 is a private.*; 2001:db8::1 is no IPv4/,
  );
  expect(await hosts()).toEqual([]);
});

test('FV14 another resolver reaches a host that exists, another range comes to it, another place is refused', async () => {
  await token();
  expect(await hosts()).toEqual([{ id: 'bkk-1', dns: ['9.9.9.9'], region_id: 'th-bkk' }]);
  const revision = () => asApplication(() => takeUpChanges(places.db, 'bkk-1'));
  const before = await revision();
  await token({ dns: ['1.1.1.1', '9.9.9.9'], addressPool: '203.0.113.0/28' });
  expect(await revision()).toBe(before + 1);
  // Nothing said of resolvers: they stay.
  await token();
  expect(await revision()).toBe(before + 1);
  expect((await hosts())[0]!.dns).toEqual(['1.1.1.1', '9.9.9.9']);
  const pools = await places.all.selectFrom('address_pool').select('id').orderBy('id').execute();
  expect(pools.map(({ id }) => id)).toEqual(['198.51.100.0/28', '203.0.113.0/28']);
  await expect(token({ regionId: 'de-fsn' })).rejects.toThrow('bkk-1 stands in another place: demo, th-bkk');
});
