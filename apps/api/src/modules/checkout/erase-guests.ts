import { payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { eraseBuyers } from '../billing/index.ts';

/** Retention of a deleted account's data (S83); the privacy policy names it. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;
const BATCH = 500;

/** Erases the address of guests who never paid: without an account they cannot ask for it. */
export async function eraseGuests({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.transaction().execute(async tx => {
    const over = tx
      .selectFrom('shop_order')
      .select('shop_order.id')
      .where('status', '=', sql.lit('expired'))
      .where('customer_id', 'is', null)
      .where('email', 'is not', null)
      .where('expires_at', '<=', new Date(clock.now().getTime() - RETENTION_MS))
      // A payment under way still needs the address. A subquery per order: PostgreSQL may answer an `exists` by reading all
      // attempts.
      .where(
        eb =>
          eb
            .selectFrom('attempt')
            .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
            .select('attempt.id')
            .whereRef('invoice.order_id', '=', 'shop_order.id')
            .where('attempt.status', 'in', [...payableAttempt])
            .limit(1),
        'is',
        null,
      )
      .orderBy('expires_at')
      .limit(BATCH);
    const erased = await tx
      .updateTable('shop_order')
      .set({ email: null })
      .where('id', '=', sql<string>`any(array(${over}))`)
      .returning('id')
      .execute();
    await eraseBuyers(
      tx,
      erased.map(({ id }) => id),
    );
  });
}
