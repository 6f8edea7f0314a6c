import { refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { ownRanges } from '../provisioning/index.ts';
import type { MeasureTickets } from './measure-tickets.ts';

export type MeasureDeps = { db: Db; tickets: MeasureTickets };

/** Issues a ticket for a speed test to a customer whose request comes through the tunnel of the subscription, else none. */
export async function beginSpeedTest(
  { db, tickets }: MeasureDeps,
  caller: { customerId: string; network: string; comesFrom(range: string): boolean },
  subscriptionId: string,
) {
  const own = (await ownRanges(db, caller.customerId)).find(({ id }) => id === subscriptionId);
  if (!own) return refuse('subscriptionNotFound');
  return own.ranges.some(caller.comesFrom) ? { ticket: tickets.give(caller.network) } : {};
}
