import { openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Checkout } from '../modules/checkout/checkout.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';

/** An attempt without news for this long is asked about: its webhook may never come, its answer may be lost. */
const QUIET_MS = 60_000;
/** A paid order that is not fulfilled after this long lost its job. */
const STUCK_MS = 60_000;
const BATCH = 200;

/** Every minute: what a crash or a lost message left behind is taken up again (R3). */
export function createSweep(deps: {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  checkout: Checkout;
  freeAddresses(): Promise<void>;
  assignHosts(): Promise<void>;
  sweepAccounts(): Promise<void>;
  renewCertificates(): Promise<void>;
}): () => Promise<void> {
  const { db, clock, jobs, checkout } = deps;
  return async () => {
    const now = clock.now().getTime();
    const quiet = await db
      .selectFrom('attempt')
      .select('id')
      .where('status', 'in', [...openAttempt])
      .where('updated_at', '<', new Date(now - QUIET_MS))
      .orderBy('updated_at')
      .limit(BATCH)
      .execute();
    for (const { id } of quiet) await jobs.enqueue(db, 'checkAttempt', { attemptId: id });

    const stuck = await db
      .selectFrom('shop_order')
      .select('id')
      .where('status', '=', 'paid')
      .where('paid_at', '<', new Date(now - STUCK_MS))
      .limit(BATCH)
      .execute();
    for (const { id } of stuck) await jobs.enqueue(db, 'fulfilOrder', { orderId: id });

    await checkout.expireOrders();
    await checkout.forgetGuests();
    await deps.freeAddresses();
    await deps.assignHosts();
    await deps.renewCertificates();
    await deps.sweepAccounts();
  };
}
