import { historyEvents } from '@fixpoint/contract/calls/happened.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Entries shown: enough for years of a monthly subscription. */
const MOST = 50;

/** The history of a subscription for its customer, the newest first, with plans, amounts and days. */
export async function historyOf(db: Db, { id, currency }: { id: string; currency: string }) {
  const moves = await db
    .selectFrom('subscription_history as move')
    .leftJoin('product as before', join => join.on('before.id', '=', sql<string>`move.detail->>'from'`))
    .leftJoin('product as after', join => join.on('after.id', '=', sql<string>`move.detail->>'to'`))
    .leftJoin('invoice as paid', join => join.on('paid.id', '=', sql<string>`move.detail->>'invoiceId'`))
    .select(['move.at', 'move.command', 'move.detail'])
    .select(['before.plan_id as plan_before', 'after.plan_id as plan_after'])
    .select(['paid.currency as paid_currency', 'paid.total as paid_total'])
    .where('move.subscription_id', '=', id)
    .where('move.command', 'in', historyEvents)
    .orderBy('move.version', 'desc')
    .limit(MOST)
    .execute();
  return moves.map(({ at, command, detail, ...of }) => {
    const { day, port, to } = detail as { day?: string | null; port?: number; to?: number };
    const amount = of.paid_total ?? (detail.of === 'price' ? to! : null);
    return {
      at: at.toISOString(),
      event: detail.asked ? 'due' : (command as (typeof historyEvents)[number]),
      ...(of.plan_before &&
        of.plan_after &&
        of.plan_before !== of.plan_after && { plans: { from: of.plan_before, to: of.plan_after } }),
      ...(amount !== null && { amount: { currency: of.paid_currency ?? currency, amount } }),
      ...(detail.of === 'vat' && { vatRateBp: to! }),
      ...(day && { day }),
      ...(port && { port }),
    };
  });
}
