import { mustClose } from '@fixpoint/domain/payment/card-testing.ts';
import type { Db } from '../../../ports/database.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import type { ReportedSaving } from '../../../ports/payment-gateway.ts';
import { countTimes, subjectName } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { cardCalls } from './usable-card.ts';

/** The answer that brings a saving to its page has long been written down. */
const ANSWERED_MS = 5 * 60_000;
/** Nobody answers his bank after so long. */
const KEPT_MS = 24 * 60 * 60_000;

/**
 * Counts what banks have refused of a saving since the last time, as of a payment (FS3): whoever holds what it goes on with
 * could try any number of cards by it. Beyond the limit it is ended at the provider.
 * @param who tries it, as the page knows; else its customer, by a notice
 */
export async function countSetupDeclines(
  deps: PaymentDeps,
  reported: ReportedSaving,
  who: { names: readonly string[] } | { customerId: string },
): Promise<void> {
  if (reported.state === 'saved') return;
  const { ref, declines } = reported;
  const fresh = await deps.db.transaction().execute(async tx => {
    const before = await seen(deps, tx, reported, who);
    if (!before || before.declines >= declines) return undefined;
    await tx.updateTable('card_saving').set({ declines }).where('ref', '=', ref).execute();
    return { count: declines - before.declines, names: before.counted_for };
  });
  const most = fresh ? await countTimes(deps, fresh.names, fresh.count) : 0;
  // Its own number counts also when a notice comes again, because this end of it failed.
  if (mustClose(Math.max(most, declines), deps.scale)) await cardCalls(deps).endSaving(ref);
}

/** @returns how it was, locked; undefined for a notice that is faster than the answer by which the page will name it */
async function seen(
  { clock }: PaymentDeps,
  tx: Db,
  { ref, begunAt }: ReportedSaving,
  who: Parameters<typeof countSetupDeclines>[2],
) {
  const now = clock.now();
  const isNamed = 'names' in who;
  if (isNamed || now.getTime() - begunAt.getTime() > ANSWERED_MS) {
    const counted_for = isNamed ? [...who.names] : [subjectName(who.customerId)];
    await tx
      .insertInto('card_saving')
      .values({ ref, counted_for, seen_at: now })
      .onConflict(conflict => {
        const known = conflict.column('ref');
        return isNamed ? known.doUpdateSet({ counted_for }) : known.doNothing();
      })
      .execute();
  }
  return tx
    .selectFrom('card_saving')
    .select(['declines', 'counted_for'])
    .where('ref', '=', ref)
    .forUpdate()
    .executeTakeFirst();
}

/** Forgets under whose names savings are counted, once nobody goes on with them. */
export const sweepSavingsTask = ({ db, clock }: Pick<PaymentDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'sweepSavings',
  run: async () => {
    const until = new Date(clock.now().getTime() - KEPT_MS);
    await db.deleteFrom('card_saving').where('seen_at', '<', until).execute();
  },
});
