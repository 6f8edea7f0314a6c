import type { Db } from '../../ports/database.ts';

/** A renewal is charged a day before its period; from then on an upgrade pays for that period, too. */
const AHEAD_MS = 24 * 60 * 60_000;

/** The invoices that paid for a subscription's days from the start of a period on: of its periods, and of upgrades in them. */
export function paidSince(db: Db, subscriptionId: string, start: Date) {
  const ahead = new Date(start.getTime() - AHEAD_MS);
  return db
    .selectFrom('invoice')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where(eb =>
      eb.or([
        eb('period.starts_at', '>=', start),
        eb.and([eb('invoice.purpose', '=', 'upgrade'), eb('invoice.paid_at', '>=', ahead)]),
      ]),
    );
}
