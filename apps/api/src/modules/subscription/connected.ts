import type { Db } from '../../ports/database.ts';
import { ownRanges } from '../provisioning/index.ts';

/**
 * Those of a customer's subscriptions through whose address his call comes.
 * @param comesFrom whether it comes from an address or prefix; from which, nobody learns (S85)
 */
export async function connectedOf(
  db: Db,
  customerId: string,
  comesFrom: (range: string) => boolean,
): Promise<{ ids: string[] }> {
  const own = await ownRanges(db, customerId);
  return { ids: own.filter(({ ranges }) => ranges.some(comesFrom)).map(({ id }) => id) };
}
