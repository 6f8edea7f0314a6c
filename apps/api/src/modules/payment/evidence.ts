import type { Db } from '../../ports/database.ts';
import type { LineText } from '../../ports/json-columns.ts';

/** What we know of a disputed sale, for whoever answers the dispute. */
export type Evidence = {
  dispute: {
    ref: string;
    status: string;
    reason: string;
    currency: string;
    amount: number;
    answerBy: Date | null;
  };
  payment: { ref: string | null; method: string; paidAt: Date };
  invoice: {
    number: string | null;
    currency: string;
    total: number;
    lines: { text: LineText; total: number }[];
  };
  order:
    | { orderedAt: Date; email: string | null; language: string | null; termsVersion: string | null }
    | undefined;
  /** When what was bought began to work, and the periods that were paid for. */
  delivery: { startedAt: Date | null; periods: { from: Date; until: Date }[] } | undefined;
};

/**
 * Order, terms, invoice and proof of delivery of a disputed payment. Nothing of what was done with the service: no such
 * thing is kept.
 * @param ref the dispute, as its provider names it
 * @returns undefined for a dispute that is none of ours
 */
export async function evidenceOf(db: Db, ref: string): Promise<Evidence | undefined> {
  const found = await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['dispute.status', 'dispute.reason', 'dispute.currency', 'dispute.amount', 'dispute.respond_by'])
    .select(['attempt.provider_ref', 'attempt.method', 'attempt.updated_at'])
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.currency as billed',
      'invoice.total',
      'invoice.paid_at',
    ])
    .select([
      'shop_order.created_at as orderedAt',
      'shop_order.email',
      'shop_order.language',
      'terms_version',
    ])
    .select(['subscription.id as subscriptionId', 'subscription.started_at'])
    .where('dispute.provider_ref', '=', ref)
    .executeTakeFirst();
  if (!found) return undefined;
  const lines = await db
    .selectFrom('invoice_line')
    .select(['text', 'total'])
    .where('invoice_id', '=', found.id)
    .orderBy('position')
    .execute();
  const periods = await db
    .selectFrom('subscription_period')
    .select(['starts_at as from', 'ends_at as until'])
    .where('subscription_id', '=', found.subscriptionId ?? '')
    .orderBy('starts_at')
    .execute();
  const { status, reason, currency, amount, respond_by } = found;
  return {
    dispute: { ref, status, reason, currency, amount, answerBy: respond_by },
    payment: { ref: found.provider_ref, method: found.method, paidAt: found.paid_at ?? found.updated_at },
    invoice: { number: found.number, currency: found.billed, total: found.total, lines },
    order: found.orderedAt
      ? {
          orderedAt: found.orderedAt,
          email: found.email,
          language: found.language,
          termsVersion: found.terms_version,
        }
      : undefined,
    delivery: found.subscriptionId ? { startedAt: found.started_at, periods } : undefined,
  };
}

/** Disputes that are not decided, the next to be answered first. */
export const openDisputes = (db: Db) =>
  db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['dispute.provider_ref as ref', 'dispute.status', 'dispute.reason', 'dispute.currency'])
    .select(['dispute.amount', 'respond_by as answerBy', 'subscription_id as subscription'])
    .where('dispute.status', 'in', ['inquiry', 'open'])
    .orderBy('respond_by')
    .execute();
