import { X509Certificate } from 'node:crypto';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import type { Dice } from '@fixpoint/testkit/storm/dice.ts';
import { expect } from 'vitest';
import { type Deed, isServed, type World } from './deeds.ts';
import { hostedOf } from './devices.ts';
import { ENTITLEMENTS, endDevice, type Known, type Life } from './life.ts';

let named = 0;
/** Adds a device. Which were made last is seen by their time. @returns what the shop answers */
async function add({ shop }: World, client: TestClient, { known, subscriptionId }: Life): Promise<string> {
  named += 1;
  const name = `device-${named}`;
  const { code } = await client.subscription.addKey({ body: { subscriptionId, name } });
  if (code === '0000') known.keys.push(name);
  shop.clock.advance(1000);
  return code;
}

type Key = { id: string; name: string };
/** One of his devices, as he sees it. */
async function pick(client: TestClient, life: Life, dice: Dice, names = life.known.keys): Promise<Key> {
  const name = dice.pick(names);
  const { data } = await client.subscription.getSubscription({ query: { id: life.subscriptionId } });
  return data!.keys.find(key => key.name === name)!;
}

const hasDevice = (known: Known): boolean => isServed(known) && known.keys.length > 0;

const devices: Deed[] = [
  {
    name: 'adds a device',
    can: known => isServed(known) && known.keys.length < ENTITLEMENTS[known.plan].devices,
    async run(world, life) {
      expect(await add(world, await life.now(), life)).toBe('0000');
    },
  },
  {
    name: 'adds all devices that he may, and one more',
    can: isServed,
    async run(world, life) {
      const { known } = life;
      const client = await life.now();
      for (;;) {
        const isFull = known.keys.length === ENTITLEMENTS[known.plan].devices;
        expect(await add(world, client, life)).toBe(isFull ? '4000' : '0000');
        if (isFull) return;
      }
    },
  },
  {
    name: 'removes a device',
    can: known => known.keys.length > 0,
    async run(_, life, dice) {
      const client = await life.now();
      const { subscriptionId } = life;
      const { id: keyId, name } = await pick(client, life, dice);
      const { code } = await client.subscription.deleteKey({ body: { subscriptionId, keyId } });
      expect(code).toBe('0000');
      endDevice(life.known, name);
      const refused = await client.subscription.downloadKey({ body: { subscriptionId, keyId } });
      expect(refused.code, 'a device that is gone has no file').toBe('6005');
    },
  },
];

/** The blocks of a file: what of it is a secret is not looked at. */
const blockOf = (profile: string, tag: string) =>
  new RegExp(`<${tag}>\\n([^]+?)\\n</${tag}>`).exec(profile)![1]!;

/** It names his address and his device, and its host takes it for that one. */
function expectRight(world: World, life: Life, key: Key, profile: string): string {
  const { publicAddress, port, ca } = hostedOf(world, life)!;
  expect(profile).toContain(`\nremote ${publicAddress} ${port} udp\n`);
  expect(profile).toMatch(new RegExp(`^setenv FRIENDLY_NAME ".+ ${key.name}"$`, 'm'));
  expect(blockOf(profile, 'ca')).toBe(ca.trim());
  const certificate = new X509Certificate(blockOf(profile, 'cert'));
  expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
  expect(certificate.subject).toBe(`CN=${key.id}`);
  return BigInt(`0x${certificate.serialNumber}`).toString();
}

const download = (revokeEarlier: boolean): Deed => ({
  name: revokeEarlier ? 'has a file take the place of those before' : 'downloads the file of a device',
  can: revokeEarlier ? known => hasDevice(known) && known.files.size > 0 : hasDevice,
  async run(world, life, dice) {
    const { known, subscriptionId } = life;
    const client = await life.now();
    const key = await pick(client, life, dice, revokeEarlier ? [...known.files.keys()] : known.keys);
    const { data, code } = await client.subscription.downloadKey({
      body: { subscriptionId, keyId: key.id, revokeEarlier },
    });
    expect(code).toBe('0000');
    expect(data!.fileName).toMatch(new RegExp(`-${key.name}\\.ovpn$`));
    const made = expectRight(world, life, key, data!.profile);
    const before = known.files.get(key.name) ?? [];
    known.files.set(key.name, revokeEarlier ? [made] : [...before, made]);
    if (!revokeEarlier) return;
    const revoked = () => hostedOf(world, life)!.revoked.map(({ serial }) => serial);
    // A host is told of one for as long as that would hold, by the time of devices.
    const { validUntil } = data!;
    if (new Date(validUntil) > world.shop.clock.now())
      await expect.poll(revoked).toEqual(expect.arrayContaining(before));
  },
});

const limits: Deed[] = [
  {
    name: 'limits a device',
    can: hasDevice,
    async run(_, life, dice) {
      const { known, subscriptionId: id } = life;
      const client = await life.now();
      const key = await pick(client, life, dice);
      const { lineMbit } = ENTITLEMENTS[known.plan];
      const adjust = (rateMbit: number) =>
        client.subscription.adjustBw({ body: { id, keys: [{ id: key.id, rateMbit }] } });
      expect((await adjust(lineMbit + 1)).code, 'nobody has more than the line').toBe('7004');
      const rateMbit = 1 + dice.below(lineMbit);
      expect((await adjust(rateMbit)).code).toBe('0000');
      known.limits.set(key.name, rateMbit);
    },
  },
  {
    name: 'takes a limit away',
    can: known => isServed(known) && known.limits.size > 0,
    async run(_, life, dice) {
      const { known, subscriptionId: id } = life;
      const client = await life.now();
      const key = await pick(client, life, dice, [...known.limits.keys()]);
      const { code } = await client.subscription.adjustBw({
        body: { id, keys: [{ id: key.id, rateMbit: null }] },
      });
      expect(code).toBe('0000');
      known.limits.delete(key.name);
    },
  },
];

const FIRST_PORT = 1024;
const ports: Deed[] = [
  {
    name: 'has a port lead to a device',
    can: known => hasDevice(known) && ENTITLEMENTS[known.plan].port,
    async run(world, life, dice) {
      const { known, subscriptionId: id } = life;
      const client = await life.now();
      const key = await pick(client, life, dice);
      const port = FIRST_PORT + dice.below(10_000);
      const { code } = await client.subscription.forwardPort({
        body: { id, forward: { port, keyId: key.id } },
      });
      // There the VPN itself answers.
      if (port === hostedOf(world, life)!.port) return expect(code).toBe('7004');
      expect(code).toBe('0000');
      known.port = { port, to: key.name };
    },
  },
  {
    name: 'closes his port',
    can: known => isServed(known) && known.port !== undefined,
    async run(_, life) {
      const client = await life.now();
      const { code } = await client.subscription.forwardPort({
        body: { id: life.subscriptionId, forward: null },
      });
      expect(code).toBe('0000');
      life.known.port = undefined;
    },
  },
];

/** What a customer does with what he has: devices, their files, limits and ports. */
export const deviceDeeds: readonly Deed[] = [
  ...devices,
  ...[download(false), download(true)],
  ...limits,
  ...ports,
];
