import {
  addressFields,
  type BuyerDetails,
  type BuyerField,
  buyerFaults,
} from '@fixpoint/contract/buyer-details.ts';
import { checkBuyer } from '@fixpoint/domain/billing/buyer-details.ts';
import { sql } from 'kysely';
import { type Refusal, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Buyer } from '../../ports/json-columns.ts';

/** The company of an invoice as it will be printed, or which of its fields are wrong (`company.taxId`). */
export function buyerDetailsOf(typed: BuyerDetails): BuyerDetails | Refusal {
  const checked = checkBuyer(typed, addressFields(typed.country));
  if ('details' in checked) return checked.details;
  const faults = Object.entries(checked.faults) as [BuyerField, keyof typeof buyerFaults][];
  return refuseFields(
    Object.fromEntries(faults.map(([field, fault]) => [`company.${field}`, buyerFaults[fault]])),
  );
}

/** The company that a customer's invoices are made out to; undefined for a private buyer. */
export async function readBuyerDetails(db: Db, customerId: string): Promise<BuyerDetails | undefined> {
  const row = await db
    .selectFrom('buyer_details')
    .select('details')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.details;
}

/** Stores the company that a customer's invoices are made out to from now on; null: none. */
export async function saveBuyerDetails(
  tx: Db,
  now: Date,
  customerId: string,
  details: BuyerDetails | null,
): Promise<void> {
  if (!details) {
    await tx.deleteFrom('buyer_details').where('customer_id', '=', customerId).execute();
    return;
  }
  const row = { details, updated_at: now };
  await tx
    .insertInto('buyer_details')
    .values({ customer_id: customerId, ...row })
    .onConflict(conflict => conflict.column('customer_id').doUpdateSet(row))
    .execute();
}

const savedOf = (customerId: ReturnType<typeof sql>) => sql<Buyer>`coalesce(
  (select jsonb_build_object('company', details) from buyer_details where customer_id = ${customerId}), '{}')`;

/**
 * Buyer of an invoice that is drafted or opened.
 * @param company the one of this purchase, null: none; undefined: the one that the customer has saved
 */
export function buyerOf(customerId: string | null, email: string, company: BuyerDetails | null | undefined) {
  if (company) return { email, company };
  if (company === null || customerId === null) return { email };
  return sql<Buyer>`${JSON.stringify({ email })}::jsonb || ${savedOf(sql`${customerId}::text`)}`;
}

/**
 * Buyer of an invoice that gets its number: a renewal takes the company that its customer has now, because what asked for
 * its payment was no tax invoice. An order's was said on its page.
 */
export const buyerAtPayment = sql<Buyer>`case when invoice.order_id is null and invoice.buyer_is = 'known'
  then invoice.buyer - 'company' || ${savedOf(sql`invoice.customer_id`)} else invoice.buyer end`;
