import type { Db } from '../../../ports/database.ts';
import type { ReportedSaving } from '../../../ports/payment-gateway.ts';
import { accountName, countTimes, releaseCard, subjectName } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { cardCalls } from './usable-card.ts';

/** After this long the names of the page that saves a card have been recorded. */
const ANSWERED_MS = 5 * 60_000;
/** After this long no customer answers their bank any more. */
export const SAVING_KEPT_MS = 24 * 60 * 60_000;

/**
 * Counts the new declines of saving a card (Stripe's SetupIntent), as of a payment: whoever holds its secret could test any
 * number of cards with it, so the first decline ends it at the gateway.
 * @param who the names to count under, from the page; or the customer, from a webhook
 */
export async function countSetupDeclines(
  deps: PaymentDeps,
  reported: ReportedSaving,
  who: { names: readonly string[] } | { customerId: string },
): Promise<void> {
  const { ref } = reported;
  if (reported.state === 'saved') {
    // The row is deleted, so that it is released once.
    const kept = await deps.db
      .deleteFrom('card_saving')
      .where('ref', '=', ref)
      .returning('counted_for')
      .execute();
    return releaseCard(
      deps,
      kept.flatMap(({ counted_for }) => counted_for),
    );
  }
  const { declines } = reported;
  const fresh = await deps.db.transaction().execute(async tx => {
    const before = await seen(deps, tx, reported, who);
    if (!before || before.declines >= declines) return undefined;
    await tx.updateTable('card_saving').set({ declines }).where('ref', '=', ref).execute();
    return { count: declines - before.declines, names: before.counted_for };
  });
  if (fresh) await countTimes(deps, fresh.names, fresh.count);
  // Ended again each time: when ending it fails, the webhook comes again.
  if (declines > 0) await cardCalls(deps).endSaving(ref);
}

/** The counted declines, locked; undefined for a webhook that is faster than the answer to the page. */
async function seen(
  { clock }: PaymentDeps,
  tx: Db,
  { ref, begunAt }: ReportedSaving,
  who: Parameters<typeof countSetupDeclines>[2],
) {
  const now = clock.now();
  const isNamed = 'names' in who;
  if (isNamed || now.getTime() - begunAt.getTime() > ANSWERED_MS) {
    const counted_for = isNamed ? [...who.names] : [subjectName(who.customerId), accountName(who.customerId)];
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
