import type { Db } from '../../ports/database.ts';
import { resolveAlert } from '../alert/index.ts';

/** A payout of a gateway to the operator's bank. `amount` in hundredths. */
export type Payout = {
  provider: string;
  ref: string;
  at: Date;
  currency: string;
  amount: number;
  destination: string | null;
  arrivedAt: Date | null;
  /** The bank has sent it back. */
  isReturned: boolean;
  /** Whether staff has found a payout to this bank account on the statement of their bank. */
  isKnown: boolean;
};

/** Payouts of all gateways, oldest first. @param all also those that were ticked off or returned */
export async function listPayouts(db: Db, all: boolean): Promise<Payout[]> {
  const rows = await db
    .selectFrom('gateway_movement as payout')
    .select(['provider', 'moved_at as at', 'currency', 'amount', 'destination', 'arrived_at as arrivedAt'])
    .select(({ fn, ref }) => fn.coalesce(ref('source_ref'), ref('id')).as('ref'))
    .select(({ exists, selectFrom }) => [
      exists(
        selectFrom('gateway_movement as back')
          .select('back.id')
          .whereRef('back.provider', '=', 'payout.provider')
          .whereRef('back.source_ref', '=', 'payout.source_ref')
          .where('back.kind', '=', 'payoutReturned'),
      ).as('isReturned'),
      exists(
        selectFrom('gateway_movement as known')
          .select('known.id')
          .whereRef('known.provider', '=', 'payout.provider')
          .whereRef('known.destination', '=', 'payout.destination')
          .where('known.kind', '=', 'payout')
          .where('known.arrived_at', 'is not', null),
      ).as('isKnown'),
    ])
    .where('kind', '=', 'payout')
    .orderBy('moved_at')
    .orderBy('id')
    .execute();
  return rows
    .map(row => ({
      ...row,
      amount: -row.amount,
      isReturned: Boolean(row.isReturned),
      isKnown: Boolean(row.isKnown),
    }))
    .filter(({ arrivedAt, isReturned }) => all || (arrivedAt === null && !isReturned));
}

class UnknownPayout extends Error {
  override name = 'UnknownPayout';
}

/**
 * Ticks off a payout that arrived at the operator's bank. Its bank account is known from then on.
 * @throws UnknownPayout
 */
export async function tickOffPayout(db: Db, now: Date, ref: string): Promise<void> {
  await db.transaction().execute(async tx => {
    const ticked = await tx
      .updateTable('gateway_movement')
      .set({ arrived_at: now })
      .where('kind', '=', 'payout')
      .where(({ or, eb }) => or([eb('source_ref', '=', ref), eb('id', '=', ref)]))
      .returning(['provider', 'destination'])
      .executeTakeFirst();
    if (!ticked)
      throw new UnknownPayout(`No payout ${ref} is booked. List them: npm run shop -- books payouts`);
    const { provider, destination } = ticked;
    await resolveAlert(tx, now, 'payout.destination', destination ?? provider);
  });
}
