import { mustClose } from '@fixpoint/domain/payment/card-testing.ts';
import type { Reported } from '../../../ports/payment-gateway.ts';
import { countTimes } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { attemptById } from '../store.ts';
import { closeAttempt } from './close-attempt.ts';

/**
 * Counts the new declines of an attempt. Beyond the limit of one of its names it is closed at the gateway, because whoever
 * holds its secret could test any number of stolen cards with one payment.
 */
export async function countDeclines(deps: PaymentDeps, id: string, reported: Reported): Promise<void> {
  const { declines = 0 } = reported;
  if (declines === 0) return;
  const fresh = await deps.db.transaction().execute(async tx => {
    const before = await tx
      .selectFrom('attempt')
      .select(['declines', 'counted_for'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.declines >= declines) return undefined;
    await tx.updateTable('attempt').set({ declines }).where('id', '=', id).execute();
    return { count: declines - before.declines, names: before.counted_for };
  });
  if (!fresh) return;
  const most = await countTimes(deps, fresh.names, fresh.count);
  const attempt = (await attemptById(deps.db, id))!;
  if (attempt.status === 'failed' && mustClose(most, deps.scale)) await closeAttempt(deps, attempt);
}
