import type { Db } from '../../ports/database.ts';
import { dropRenewal } from './close-renewal.ts';
import type { TransitionDeps } from './deps.ts';
import { lockSubscription } from './store.ts';
import { transitionSubscription } from './transition.ts';

/**
 * Suspends a subscription, or restores it. While suspended its host refuses all keys, nothing is charged, and it ends with its
 * paid period. A repeated call changes nothing.
 * @param byStaff recorded in its history: a dispute that was lost before does not suspend it again
 * @returns whether there is such a subscription
 */
export async function suspend(
  deps: TransitionDeps,
  tx: Db,
  subscriptionId: string,
  suspended: boolean,
  byStaff = false,
): Promise<boolean> {
  const row = await lockSubscription(tx, subscriptionId);
  if (!row) return false;
  await transitionSubscription(deps, tx, row, suspended ? 'suspend' : 'restore', byStaff ? { byStaff } : {});
  if (suspended) await dropRenewal(deps, tx, subscriptionId);
  return true;
}
