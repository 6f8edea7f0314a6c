import { isPaymentOver } from '@fixpoint/domain/subscription/renewal.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { unpaidRenewals } from '../billing/index.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { RenewDeps } from './renew.ts';
import { setRenewal } from './store.ts';

type ChargeDeps = SubscriptionDeps &
  Pick<RenewDeps, 'isPaidOnItsWay'> & {
    /** From payment, which this module must not import. */
    charge(invoiceId: string, most: number): Promise<boolean>;
  };

/** Makes the `tries`-th automatic charge of a renewal. Where nothing can be charged, asks the customer to pay. */
export async function chargeRenewal(deps: ChargeDeps, invoiceId: string, tries: number): Promise<void> {
  if (await isOver(deps, invoiceId)) return;
  if (await deps.charge(invoiceId, tries)) return;
  const { db, jobs } = deps;
  // The customer has paid by another method meanwhile. If that fails, the next try asks.
  if (await deps.isPaidOnItsWay(db, invoiceId)) return;
  const of = await db
    .selectFrom('invoice')
    .select(['customer_id', 'subscription_id'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  await jobs.enqueue(db, 'sendEmail', {
    template: 'renewalDue',
    customerId: of.customer_id!,
    subjectId: of.subscription_id!,
    copy: `${invoiceId}-${tries}`,
  });
}

/** Whether the days of payment are over: a job that waited for a worker leaves the renewal to its next step. */
async function isOver({ db, clock }: ChargeDeps, invoiceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .innerJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.issued_at', 'subscription.period_start', 'subscription.period_end'])
    .where('invoice.id', '=', invoiceId)
    .executeTakeFirst();
  const { issued_at, period_start: start, period_end: end } = row ?? {};
  return Boolean(issued_at && start && end && isPaymentOver(issued_at, { start, end }, clock.now()));
}

/**
 * Charges a customer's past-due renewals to their new default method at once, as the next try. Manual renewals are not
 * charged.
 */
export async function chargeAmountsDue(
  { jobs, collectionMethod }: { jobs: Jobs } & Pick<RenewDeps, 'collectionMethod'>,
  tx: Db,
  customerId: string,
): Promise<void> {
  const pastDue = await unpaidRenewals(tx, customerId)
    .selectAll('subscription')
    .select('invoice.id as invoiceId')
    .orderBy('subscription.id')
    .forUpdate('subscription')
    .execute();
  for (const { invoiceId, ...row } of pastDue) {
    const of = { customerId, subscriptionId: row.id };
    if ((await collectionMethod(tx, of)) === 'sendInvoice') continue;
    const tries = row.tries + 1;
    await setRenewal(tx, row, { tries });
    await jobs.enqueue(tx, 'chargeRenewal', { invoiceId, tries: String(tries) });
  }
}
