import { X509Certificate } from 'node:crypto';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import type { Prng } from '@fixpoint/testkit/load-test/prng.ts';
import { expect } from 'vitest';
import { type CustomerAction, isServed, type Simulation } from './actions.ts';
import { ENTITLEMENTS, endDevice, type Known, type Simulated } from './customer.ts';
import { hostedOf } from './devices.ts';

let named = 0;
/** Adds a device; `created_at` orders the devices. @returns the shop's answer */
async function add(
  { shop }: Simulation,
  client: TestClient,
  { known, subscriptionId }: Simulated,
): Promise<string> {
  named += 1;
  const name = `device-${named}`;
  const { code } = await client.subscription.addKey({ body: { subscriptionId, name } });
  if (code === '0000') known.keys.push(name);
  shop.clock.advance(1000);
  return code;
}

type Key = { id: string; name: string };
/** Picks one of the devices that a customer sees. */
async function pick(
  client: TestClient,
  simulated: Simulated,
  prng: Prng,
  names = simulated.known.keys,
): Promise<Key> {
  const name = prng.pick(names);
  const { data } = await client.subscription.getSubscription({ query: { id: simulated.subscriptionId } });
  return data!.keys.find(key => key.name === name)!;
}

const hasDevice = (known: Known): boolean => isServed(known) && known.keys.length > 0;

const devices: CustomerAction[] = [
  {
    name: 'adds a device',
    can: known => isServed(known) && known.keys.length < ENTITLEMENTS[known.plan].devices,
    async run(simulation, simulated) {
      expect(await add(simulation, await simulated.now(), simulated)).toBe('0000');
    },
  },
  {
    name: 'adds all devices that he may, and one more',
    can: isServed,
    async run(simulation, simulated) {
      const { known } = simulated;
      const client = await simulated.now();
      for (;;) {
        const isFull = known.keys.length === ENTITLEMENTS[known.plan].devices;
        expect(await add(simulation, client, simulated)).toBe(isFull ? '4000' : '0000');
        if (isFull) return;
      }
    },
  },
  {
    name: 'removes a device',
    can: known => known.keys.length > 0,
    async run(_, simulated, prng) {
      const client = await simulated.now();
      const { subscriptionId } = simulated;
      const { id: keyId, name } = await pick(client, simulated, prng);
      const { code } = await client.subscription.deleteKey({ body: { subscriptionId, keyId } });
      expect(code).toBe('0000');
      endDevice(simulated.known, name);
      const refused = await client.subscription.downloadKey({ body: { subscriptionId, keyId } });
      expect(refused.code, 'a device that is gone has no file').toBe('6005');
    },
  },
];

/** Block of a file. Its secret content is not checked. */
const blockOf = (profile: string, tag: string) =>
  new RegExp(`<${tag}>\\n([^]+?)\\n</${tag}>`).exec(profile)![1]!;

/** The file names the address and the device, and the host accepts its certificate for that device. */
function expectRight(simulation: Simulation, simulated: Simulated, key: Key, profile: string): string {
  const { publicAddress, port, ca } = hostedOf(simulation, simulated)!;
  expect(profile).toContain(`\nremote ${publicAddress} ${port} udp\n`);
  expect(profile).toMatch(new RegExp(`^setenv FRIENDLY_NAME ".+ ${key.name}"$`, 'm'));
  expect(blockOf(profile, 'ca')).toBe(ca.trim());
  const certificate = new X509Certificate(blockOf(profile, 'cert'));
  expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
  expect(certificate.subject).toBe(`CN=${key.id}`);
  return BigInt(`0x${certificate.serialNumber}`).toString();
}

const download = (revokeEarlier: boolean): CustomerAction => ({
  name: revokeEarlier ? 'has a file take the place of those before' : 'downloads the file of a device',
  can: revokeEarlier ? known => hasDevice(known) && known.files.size > 0 : hasDevice,
  async run(simulation, simulated, prng) {
    const { known, subscriptionId } = simulated;
    const client = await simulated.now();
    const key = await pick(client, simulated, prng, revokeEarlier ? [...known.files.keys()] : known.keys);
    const { data, code } = await client.subscription.downloadKey({
      body: { subscriptionId, keyId: key.id, revokeEarlier },
    });
    expect(code).toBe('0000');
    expect(data!.fileName).toMatch(new RegExp(`-${key.name}\\.ovpn$`));
    const made = expectRight(simulation, simulated, key, data!.profile);
    const before = known.files.get(key.name) ?? [];
    known.files.set(key.name, revokeEarlier ? [made] : [...before, made]);
    if (!revokeEarlier) return;
    const revoked = () => hostedOf(simulation, simulated)!.revoked.map(({ serial }) => serial);
    // A host keeps a revoked serial until its certificate expires, by the system clock.
    const { validUntil } = data!;
    if (new Date(validUntil) > simulation.shop.clock.now())
      await expect.poll(revoked).toEqual(expect.arrayContaining(before));
  },
});

const limits: CustomerAction[] = [
  {
    name: 'limits a device',
    can: hasDevice,
    async run(_, simulated, prng) {
      const { known, subscriptionId: id } = simulated;
      const client = await simulated.now();
      const key = await pick(client, simulated, prng);
      const { lineMbit } = ENTITLEMENTS[known.plan];
      const adjust = (rateMbit: number) =>
        client.subscription.adjustBw({ body: { id, keys: [{ id: key.id, rateMbit }] } });
      expect((await adjust(lineMbit + 1)).code, 'nobody has more than the line').toBe('7004');
      const rateMbit = 1 + prng.below(lineMbit);
      expect((await adjust(rateMbit)).code).toBe('0000');
      known.limits.set(key.name, rateMbit);
    },
  },
  {
    name: 'takes a limit away',
    can: known => isServed(known) && known.limits.size > 0,
    async run(_, simulated, prng) {
      const { known, subscriptionId: id } = simulated;
      const client = await simulated.now();
      const key = await pick(client, simulated, prng, [...known.limits.keys()]);
      const { code } = await client.subscription.adjustBw({
        body: { id, keys: [{ id: key.id, rateMbit: null }] },
      });
      expect(code).toBe('0000');
      known.limits.delete(key.name);
    },
  },
];

const FIRST_PORT = 1024;
const ports: CustomerAction[] = [
  {
    name: 'has a port lead to a device',
    can: known => hasDevice(known) && ENTITLEMENTS[known.plan].port,
    async run(simulation, simulated, prng) {
      const { known, subscriptionId: id } = simulated;
      const client = await simulated.now();
      const key = await pick(client, simulated, prng);
      const port = FIRST_PORT + prng.below(10_000);
      const { code } = await client.subscription.forwardPort({
        body: { id, forward: { port, keyId: key.id } },
      });
      // The VPN itself listens there.
      if (port === hostedOf(simulation, simulated)!.port) return expect(code).toBe('7004');
      expect(code).toBe('0000');
      known.port = { port, to: key.name };
    },
  },
  {
    name: 'closes his port',
    can: known => isServed(known) && known.port !== undefined,
    async run(_, simulated) {
      const client = await simulated.now();
      const { code } = await client.subscription.forwardPort({
        body: { id: simulated.subscriptionId, forward: null },
      });
      expect(code).toBe('0000');
      simulated.known.port = undefined;
    },
  },
];

/** What a customer does with devices, their files, limits and ports. */
export const deviceActions: readonly CustomerAction[] = [
  ...devices,
  ...[download(false), download(true)],
  ...limits,
  ...ports,
];
