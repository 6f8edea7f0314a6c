import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { Simulation } from './actions.ts';
import type { Simulated } from './customer.ts';

/** The keys of a subscription, the oldest first. */
const keysOf = ({ db }: TestShop, { subscriptionId }: Simulated) =>
  db
    .selectFrom('vpn_key')
    .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
    .select(['id', 'name', 'rate_mbit as rateMbit', 'forwarded_port as forwardedPort'])
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .orderBy('vpn_key.created_at')
    .execute();

/** The shop's rows say which devices he has, with the limits and the port that he has set. */
export async function devicesAreAsKnown(shop: TestShop, simulated: Simulated): Promise<void> {
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

/** What the host of his place has of a subscription of his. */
export const hostedOf = ({ hosts }: Simulation, { subscriptionId, known }: Simulated) =>
  hosts[known.place].set()?.subscriptions.find(({ id }) => id === subscriptionId);

/** What hosts have a subscription of his, by their places. */
const placesOf = ({ hosts }: Simulation, { subscriptionId }: Simulated) =>
  Object.entries(hosts).flatMap(([place, host]) =>
    host.set()?.subscriptions.some(({ id }) => id === subscriptionId) ? [place] : [],
  );

/** No host runs it. */
export const expectNowhere = (simulation: Simulation, simulated: Simulated): void =>
  expect(placesOf(simulation, simulated)).toEqual([]);

/** Its host lets in his devices by all of their files, as fast as he has said, and leads his port to one of them. */
export async function hostLetsIn(simulation: Simulation, simulated: Simulated): Promise<void> {
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
