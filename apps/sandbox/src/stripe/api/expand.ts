import { atPresent } from '../booking.ts';
import { invalid } from '../errors.ts';
import type { World } from '../world.ts';
import { pageOf } from './list.ts';

type Json = Record<string, unknown>;

/** Replaces ids by their objects along each path (`latest_charge.balance_transaction`, `data.customer`). */
export function expandPaths(world: World, object: object, paths: string[]): object {
  return paths.reduce((at, path) => expandPath(world, at as Json, path.split('.'), path), object as Json);
}

function expandPath(world: World, object: Json, [name, ...rest]: string[], path: string): Json {
  if (name === undefined) return object;
  const value = name === 'refunds' && object.object === 'charge' ? refundsOf(world, object) : object[name];
  if (value === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (value === null) return object;
  if (Array.isArray(value))
    return { ...object, [name]: value.map(item => expandPath(world, item as Json, rest, path)) };
  const found = typeof value === 'string' ? lookUp(world, value) : (value as Json);
  if (!found) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  return { ...object, [name]: expandPath(world, found, rest, path) };
}

const refundsOf = (world: World, charge: Json) =>
  pageOf(
    `/v1/charges/${charge.id}/refunds`,
    world.refunds.all().filter(refund => refund.charge === charge.id),
    {},
  ) as unknown as Json;

function lookUp(world: World, id: string): Json | undefined {
  const movement = world.balance.get(id);
  if (movement) return atPresent(world, movement) as unknown as Json;
  const tables = {
    cus: world.customers,
    pm: world.paymentMethods,
    pi: world.intents,
    seti: world.setups,
    setatt: world.setupAttempts,
    ch: world.charges,
    re: world.refunds,
    du: world.disputes,
  };
  const table = tables[id.split('_')[0] as keyof typeof tables];
  return table?.get(id) as Json | undefined;
}
