import type { Reported } from '../../../ports/payment-gateway.ts';
import { countTimes } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';

/**
 * Counts the new declines of an attempt. It happens before the attempt fails, so that nobody tries the next card with an
 * older count.
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
  if (fresh) await countTimes(deps, fresh.names, fresh.count);
}
