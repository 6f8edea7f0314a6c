import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Sets a password that was hashed before, ends every session and socket of the customer and tells him by mail (S11).
 * Nobody is logged in by it.
 */
export async function setPassword(
  { clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus },
  tx: Db,
  customerId: string,
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('customer')
    .set({ password_hash: passwordHash })
    .where('id', '=', customerId)
    .execute();
  await endAllSessions({ clock, live }, tx, customerId);
  await jobs.enqueue(tx, 'sendMail', { mail: 'passwordSet', customerId, subjectId: customerId });
}

/** Ends every session and socket of a customer. */
export async function endAllSessions(
  { clock, live }: { clock: Clock; live: LiveBus },
  tx: Db,
  customerId: string,
): Promise<void> {
  await tx
    .updateTable('session')
    .set({ ended_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .execute();
  await live.disconnect(tx, `customer:${customerId}`);
}
