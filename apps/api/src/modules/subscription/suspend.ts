import type { Db } from '../../ports/database.ts';
import { dropRenewal } from './close-renewal.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockSubscription } from './store.ts';

/**
 * Has the host of a subscription let no key in, or let them in again. Meanwhile nothing is charged, and it ends with what is
 * paid. Said twice, it is done once.
 * @param byStaff its history says so: what was lost before holds it no more
 * @returns whether there is such a subscription
 */
export async function suspend(
  deps: MoveDeps,
  tx: Db,
  subscriptionId: string,
  suspended: boolean,
  byStaff = false,
): Promise<boolean> {
  const row = await lockSubscription(tx, subscriptionId);
  if (!row) return false;
  await moveSubscription(deps, tx, row, suspended ? 'suspend' : 'restore', byStaff ? { byStaff } : {});
  if (suspended) await dropRenewal(deps, tx, subscriptionId);
  return true;
}
