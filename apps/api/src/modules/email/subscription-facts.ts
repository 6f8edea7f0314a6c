import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { chargeAt, payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import { formatDate, formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import { hasSpentGrace } from '../subscription/index.ts';
import type { EmailContext } from './define-email.ts';

export type SubscriptionFacts = NonNullable<Awaited<ReturnType<typeof subscriptionFacts>>>;

/** Loads what emails about a subscription say; undefined for one that has not begun. */
export async function subscriptionFacts(
  { db, clock, dates, nameOf, language, subjectId }: EmailContext,
  subscriptionId = subjectId,
) {
  const row = await db
    .selectFrom('subscription as s')
    .innerJoin('product', 'product.id', 's.product_id')
    .innerJoin('region', 'region.id', 'product.region_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 's.id')
    .leftJoin('invoice', join =>
      join
        .onRef('invoice.subscription_id', '=', 's.id')
        .on('invoice.purpose', '=', 'renewal')
        .on('invoice.status', '=', 'open'),
    )
    .select(['s.status', 's.renewal', 's.vat_rate_bp', 's.currency'])
    .select(['s.period_start', 's.period_end', 's.reminded_at', 's.suspended', 's.replaced_by'])
    // Asked by `stateOf` alone.
    .select(['s.started_at', 's.anchor_at', 's.cycle_count', 's.port_forward'])
    .select(['s.cancel_at_period_end', 's.tries', 's.customer_id', 's.id', 's.is_gift'])
    .select([
      's.next_from',
      's.next_entitlements',
      's.next_renewal',
      's.coming_renewal',
      's.announced_renewal',
      's.announced_renewal_from',
      's.announced_vat_rate_bp',
      's.announced_vat_from',
      'next.plan_id as next_plan_id',
    ])
    .select([
      'product.plan_id',
      'region.id as region_id',
      'region.name as region',
      'static_ip.reserved_until',
    ])
    .select([
      'invoice.id as invoice_id',
      'invoice.reference',
      'invoice.issued_at',
      'invoice.total',
      'invoice.credit_used',
      'invoice.carried_in',
      'invoice.period_start as invoice_start',
      'invoice.period_end as invoice_end',
    ])
    .select('invoice.prepaid')
    .select(({ ref }) => hasSpentGrace(ref('s.customer_id'), clock.now()).as('grace_spent'))
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .select('s.label')
    .where('s.id', '=', subscriptionId)
    .executeTakeFirst();
  if (!row?.period_end) return undefined;
  const day = (at: Date) => formatDate(dates, at);
  const due =
    row.total === null ? row.coming_renewal : row.total - row.credit_used! - row.prepaid! + row.carried_in!;
  const planName = (id: string) => nameOf('plans.name', id) ?? id;
  const values = {
    plan: planName(row.plan_id),
    region: nameOf('region', row.region_id) ?? row.region,
    address: row.address ?? '',
    label: row.label ?? '',
    amount: formatMoney(due, row.currency, language),
    date: day(row.period_end),
  };
  const period = { start: row.period_start!, end: row.period_end };
  const chargedAt = chargeAt(period, row.reminded_at);
  const isPast = (at: Date) => bangkokDay(at) < bangkokDay(clock.now());
  const payableTo = row.issued_at && payableUntil(row.issued_at, period, !row.grace_spent);
  return {
    row: { ...row, period_end: row.period_end },
    day,
    /** Whether a day is over. An email that asks for something until then is not sent any more. */
    isPast,
    /** When an automatic payment is charged. */
    chargedAt,
    /** Its day; today where it is due already. */
    chargeDay: day(isPast(chargedAt) ? clock.now() : chargedAt),
    /** The last instant at which the open renewal invoice can be paid. Null: nothing is open. */
    payableUntilAt: payableTo ?? null,
    /** The last day on which the open renewal invoice can be paid. Null: nothing is open, or that day is over. */
    payableUntilDay: payableTo && !isPast(payableTo) ? day(payableTo) : null,
    /** What is due next, in hundredths. */
    due,
    values,
    /** The same for the next period, which may begin with a cheaper plan. */
    nextPeriodValues: { ...values, plan: planName(row.next_plan_id ?? row.plan_id) },
  };
}

/**
 * Loads the subscription while it renews: nobody has cancelled it, it is not suspended, and it is active, or past due without
 * an invoice, so that its renewal has restarted.
 */
export async function renewingSubscription(context: EmailContext): Promise<SubscriptionFacts | undefined> {
  const facts = await subscriptionFacts(context);
  if (!facts) return undefined;
  const { status, invoice_id, cancel_at_period_end, suspended } = facts.row;
  const renews = status === 'active' || (status === 'pastDue' && invoice_id === null);
  return renews && !cancel_at_period_end && !suspended ? facts : undefined;
}

/** Whether the subscription is charged to a saved payment method. */
export const isChargedAutomatically = async (
  { db, collectionMethod }: EmailContext,
  { row: { id, customer_id } }: SubscriptionFacts,
): Promise<boolean> =>
  (await collectionMethod(db, { customerId: customer_id, subscriptionId: id })) === 'chargeAutomatically';
