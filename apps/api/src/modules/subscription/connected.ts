import type { Db } from '../../ports/database.ts';
import { ownRanges } from '../provisioning/index.ts';

/**
 * The customer's subscriptions through whose address their call comes.
 * @param comesFrom whether the call comes from an address or prefix; the caller's own address is never revealed (S85)
 */
export async function connectedOf(
  db: Db,
  customerId: string,
  comesFrom: (range: string) => boolean,
): Promise<{ ids: string[] }> {
  const own = await ownRanges(db, customerId);
  return { ids: own.filter(({ ranges }) => ranges.some(comesFrom)).map(({ id }) => id) };
}
