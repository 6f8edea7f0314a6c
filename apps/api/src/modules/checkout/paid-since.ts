import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { lastEnd } from '../subscription/index.ts';

/** A renewal is charged a day before its period begins; an upgrade in that day pays for that period, too. */
const AHEAD_MS = 24 * 60 * 60_000;

/** An invoice that paid for days, and when an upgrade last changed the worth of its period. */
export type PaidInvoice = { id: string; upgraded_at: Date | null };

/**
 * The invoices that paid for a subscription's days from the start of a period on, the newest first: those of periods, and of
 * upgrades in them. Upgrades from before it last ended belong to another contract.
 */
export function paidSince(db: Db, subscriptionId: string, start: Date): Promise<PaidInvoice[]> {
  const ahead = new Date(start.getTime() - AHEAD_MS);
  return db
    .selectFrom('invoice')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .select(['invoice.id', 'period.upgraded_at'])
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where(eb =>
      eb.or([
        eb('period.starts_at', '>=', start),
        eb.and([
          eb('invoice.purpose', '=', 'upgrade'),
          eb('invoice.paid_at', '>=', ahead),
          eb('invoice.paid_at', '>', lastEnd(db, subscriptionId)),
        ]),
      ]),
    )
    .orderBy('invoice.paid_at', 'desc')
    .execute();
}

/** The periods of a subscription that are not over, with the purposes of their invoices. Free days come after `paid_until`. */
export const paidPeriods = (db: Db, subscriptionId: string, now: Date) =>
  db
    .selectFrom('subscription_period as period')
    .innerJoin('invoice', 'invoice.id', 'period.invoice_id')
    .select(['period.starts_at', 'period.ends_at', 'period.worth', 'invoice.purpose'])
    .select(sql<Date>`least(period.paid_until, period.ends_at)`.as('paid_until'))
    .where('period.subscription_id', '=', subscriptionId)
    .where('period.ends_at', '>', now)
    .orderBy('period.starts_at')
    .execute();
