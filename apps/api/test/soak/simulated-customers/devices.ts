import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { Simulation } from './actions.ts';
import type { Simulated } from './customer.ts';

/** Keys of a subscription, the oldest first. */
const keysOf = ({ db }: TestShop, { subscriptionId }: Simulated) =>
  db
    .selectFrom('vpn_key')
    .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
    .select(['id', 'name', 'rate_mbit as rateMbit', 'forwarded_port as forwardedPort'])
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .orderBy('vpn_key.created_at')
    .execute();

/** Expects the devices, limits and port in the shop's rows to be as known. */
export async function expectKnownDevices(shop: TestShop, simulated: Simulated): Promise<void> {
  const { keys, limits, port } = simulated.known;
  const found = await keysOf(shop, simulated);
  expect(found.map(({ name, rateMbit, forwardedPort }) => ({ name, rateMbit, forwardedPort }))).toEqual(
    keys.map(name => ({
      name,
      rateMbit: limits.get(name) ?? null,
      forwardedPort: port?.to === name ? port.port : null,
    })),
  );
}

/** A subscription in the set of the host of its place. */
export const hostedOf = ({ hosts }: Simulation, { subscriptionId, known }: Simulated) =>
  hosts[known.place].set()?.subscriptions.find(({ id }) => id === subscriptionId);

/** Places whose hosts have a subscription in their set. */
const placesOf = ({ hosts }: Simulation, { subscriptionId }: Simulated) =>
  Object.entries(hosts).flatMap(([place, host]) =>
    host.set()?.subscriptions.some(({ id }) => id === subscriptionId) ? [place] : [],
  );

/** Expects that no host serves it. */
export const expectNowhere = (simulation: Simulation, simulated: Simulated): void =>
  expect(placesOf(simulation, simulated)).toEqual([]);

/** Expects its host to accept all valid files of its devices, with their limits, and to forward its port. */
export async function expectHostAccepts(simulation: Simulation, simulated: Simulated): Promise<void> {
  const { shop } = simulation;
  expect(placesOf(simulation, simulated), 'the host of its place runs it').toEqual([simulated.known.place]);
  const { suspendedSince, files } = simulated.known;
  const keys = suspendedSince ? [] : await keysOf(shop, simulated);
  const wanted = keys.map(({ id, rateMbit, forwardedPort }) => ({
    id,
    ...(rateMbit && { rateMbit }),
    ...(forwardedPort && { forwardedPort }),
  }));
  const { keys: hosted, revoked } = hostedOf(simulation, simulated)!;
  const lets = hosted.map(({ address: _, ...key }) => key);
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect(lets.toSorted(byId), 'its host lets in his devices').toEqual(wanted.toSorted(byId));
  const hold = [...files.values()].flat();
  expect(revoked.filter(({ serial }) => hold.includes(serial))).toEqual([]);
}
