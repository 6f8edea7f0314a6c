import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import type { CollectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { sql } from 'kysely';
import { newId, newPaymentReference } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import { buyerOf } from './buyer-details.ts';
import { restsWithoutCredit, settleCarriedIn } from './carry.ts';
import { applyCredit } from './credit.ts';
import { type InvoiceContent, writeLines } from './draft-invoice.ts';
import { lockInvoice } from './invoices.ts';
import { voidInvoice } from './void-invoice.ts';

/**
 * Subscription and period of a renewal. `sendInvoice`: the customer needs the document to pay by. `isGift`: the customer never
 * ordered it, so their credit does not pay it automatically.
 */
export type RenewalOf = {
  subscriptionId: string;
  customerId: string;
  period: { start: Date; end: Date };
  collectionMethod: CollectionMethod;
  isGift: boolean;
};

/**
 * Opens the invoice of a subscription's next period, once also under concurrency. The customer's credit is reserved for it
 * unless it is a gift; enough credit pays it.
 * @returns the invoice, and whether it is paid; undefined when there is one already
 */
export async function openRenewal(
  tx: Db,
  now: Date,
  { subscriptionId, customerId, period, collectionMethod, isGift }: RenewalOf,
  content: Omit<InvoiceContent, 'customerId'>,
): Promise<{ id: string; paid: boolean } | undefined> {
  const { lines, buyer, ...frozen } = content;
  const sums = sumOf(lines);
  const made = await tx
    .with('made', cte =>
      cte
        .insertInto('invoice')
        .values({
          ...frozen,
          buyer: buyerOf(customerId, buyer.email, buyer.company),
          ...sums,
          id: newId('inv'),
          customer_id: customerId,
          purpose: 'renewal',
          subscription_id: subscriptionId,
          period_start: period.start,
          period_end: period.end,
          status: 'open',
          reference: newPaymentReference(),
          created_at: now,
          issued_at: now,
          documents_due_at: collectionMethod === 'sendInvoice' ? now : null,
          carried_in: isGift || sums.total === 0 ? 0 : restsWithoutCredit(customerId, frozen.currency),
        })
        .onConflict(conflict =>
          conflict
            .columns(['subscription_id', 'period_start'])
            .where('status', '!=', sql.lit('void'))
            .doNothing(),
        )
        .returning(['id', 'carried_in']),
    )
    .with('written', cte => writeLines(cte, customerId, lines))
    .selectFrom('made')
    .select(({ selectFrom }) => [
      'made.id',
      'made.carried_in as carriedIn',
      selectFrom('account_credit')
        .select('amount')
        .where('account_credit.customer_id', '=', customerId)
        .where('account_credit.currency', '=', frozen.currency)
        .as('credit'),
    ])
    .executeTakeFirst();
  if (!made) return undefined;
  await settleCarriedIn(tx, { ...made, customerId, currency: frozen.currency });
  const needsNoMoney = sums.total === 0 || (!isGift && (made.credit ?? 0) > 0);
  return { id: made.id, paid: needsNoMoney && (await applyCredit(tx, now, made.id)) };
}

/** The open invoice of a subscription's next period; undefined where there is none. */
export const openRenewalOf = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('invoice')
    .select(['id', 'issued_at', 'period_start', 'currency', 'total', 'credit_used', 'prepaid', 'carried_in'])
    .where('subscription_id', '=', subscriptionId)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .executeTakeFirst();

/** Query of a customer's past-due renewals that are not cancelled: subscriptions joined with their open invoices. */
export const unpaidRenewals = (db: Db, customerId: string) =>
  db
    .selectFrom('subscription')
    .innerJoin('invoice', 'invoice.subscription_id', 'subscription.id')
    .where('subscription.customer_id', '=', customerId)
    .where('subscription.status', '=', 'pastDue')
    .where('subscription.cancel_at_period_end', '=', false)
    .where('invoice.purpose', '=', 'renewal')
    .where('invoice.status', '=', 'open');

/**
 * Voids the open invoice of a subscription that does not renew. The subscription must be locked.
 * @returns its id, if there was one
 */
export async function voidRenewal(tx: Db, now: Date, subscriptionId: string): Promise<string | undefined> {
  const open = await openRenewalOf(tx, subscriptionId);
  if (open) await voidInvoice(tx, now, await lockInvoice(tx, open.id));
  return open?.id;
}
