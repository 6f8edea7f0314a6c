import type { Db } from '../../../ports/database.ts';
import type { LineText } from '../../../ports/json-columns.ts';
import { fundedSubscriptions } from './funded-subscriptions.ts';

/** Evidence about a disputed sale, for the answer to the dispute. */
export type DisputeEvidence = {
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
    isRenewal: boolean;
    number: string | null;
    currency: string;
    total: number;
    lines: { text: LineText; total: number }[];
  };
  order:
    | { orderedAt: Date; email: string | null; language: string | null; termsVersion: string | null }
    | undefined;
  /** Start of the service, and the periods that were paid for. */
  delivery: { startedAt: Date | null; periods: { from: Date; until: Date }[] } | undefined;
};

/**
 * Order, terms, invoice and delivery of a disputed payment. Nothing about the use of the service, because the shop stores
 * nothing about it.
 * @param ref the gateway's ID of the dispute
 * @returns undefined for a dispute that is unknown to the shop
 */
export async function disputeEvidence(db: Db, ref: string): Promise<DisputeEvidence | undefined> {
  const found = await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    // A renewal rests on the first order and the terms that the customer agreed to then.
    .leftJoin('shop_order', join =>
      join.on(eb => eb('shop_order.id', '=', eb.fn.coalesce('invoice.order_id', 'subscription.order_id'))),
    )
    .select(['dispute.status', 'dispute.reason', 'dispute.currency', 'dispute.amount', 'dispute.respond_by'])
    .select(['attempt.provider_ref', 'attempt.method', 'attempt.updated_at'])
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.purpose',
      'invoice.currency as billed',
      'invoice.total',
      'invoice.paid_at',
    ])
    .select([
      'shop_order.created_at as orderedAt',
      // The invoice's address: that of the order may be one that its buyer entered and that is somebody else's.
      'invoice.buyer',
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
    invoice: {
      isRenewal: found.purpose === 'renewal',
      number: found.number,
      currency: found.billed,
      total: found.total,
      lines,
    },
    order: found.orderedAt
      ? {
          orderedAt: found.orderedAt,
          email: found.buyer.email ?? null,
          language: found.language,
          termsVersion: found.terms_version,
        }
      : undefined,
    delivery: found.subscriptionId ? { startedAt: found.started_at, periods } : undefined,
  };
}

/** Undecided disputes, the next to be answered first, with the subscriptions that their payments paid for. */
export async function openDisputes(db: Db) {
  const rows = await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .select(['dispute.provider_ref as ref', 'dispute.status', 'dispute.reason', 'dispute.currency'])
    .select(['dispute.amount', 'respond_by as answerBy', 'attempt.invoice_id as invoiceId'])
    .where('dispute.status', 'in', ['inquiry', 'open'])
    .orderBy('respond_by')
    .execute();
  return Promise.all(
    rows.map(async ({ invoiceId, ...row }) => ({
      ...row,
      subscriptions: await fundedSubscriptions(db, invoiceId),
    })),
  );
}
