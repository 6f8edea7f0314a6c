import { withCurrentStatus } from '../booking.ts';
import { invalid } from '../errors.ts';
import type { StripeState } from '../state.ts';
import { pageOf } from './list.ts';

type Json = Record<string, unknown>;

/**
 * Replaces ids by their objects along each path (`latest_charge.balance_transaction`,
 * `data.customer`).
 */
export function expandPaths(state: StripeState, object: object, paths: string[]): object {
  return paths.reduce((at, path) => expandPath(state, at as Json, path.split('.'), path), object as Json);
}

function expandPath(state: StripeState, object: Json, [name, ...rest]: string[], path: string): Json {
  if (name === undefined) return object;
  const value = name === 'refunds' && object.object === 'charge' ? refundsOf(state, object) : object[name];
  if (value === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (value === null) return object;
  if (Array.isArray(value))
    return { ...object, [name]: value.map(item => expandPath(state, item as Json, rest, path)) };
  const found = typeof value === 'string' ? lookUp(state, value) : (value as Json);
  if (!found) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  return { ...object, [name]: expandPath(state, found, rest, path) };
}

const refundsOf = (state: StripeState, charge: Json) =>
  pageOf(
    `/v1/charges/${charge.id}/refunds`,
    state.refunds.all().filter(refund => refund.charge === charge.id),
    {},
  ) as unknown as Json;

function lookUp(state: StripeState, id: string): Json | undefined {
  const movement = state.balance.get(id);
  if (movement) return withCurrentStatus(state, movement) as unknown as Json;
  const tables = {
    cus: state.customers,
    pm: state.paymentMethods,
    pi: state.intents,
    seti: state.setups,
    setatt: state.setupAttempts,
    ch: state.charges,
    re: state.refunds,
    du: state.disputes,
    po: state.payouts,
  };
  const table = tables[id.split('_')[0] as keyof typeof tables];
  return table?.get(id) as Json | undefined;
}
