import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { unpaidRenewals } from '../billing/index.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { RenewDeps } from './renew.ts';
import { setRenewal } from './store.ts';

type ChargeDeps = SubscriptionDeps &
  Pick<RenewDeps, 'isPaidOnItsWay'> & {
    /** Of payment, against the order of modules. */
    charge(invoiceId: string, most: number): Promise<boolean>;
  };

/** The `tries`-th charge of a renewal; what cannot be charged any more by us, its customer is asked for. */
export async function chargeRenewal(deps: ChargeDeps, invoiceId: string, tries: number): Promise<void> {
  if (await deps.charge(invoiceId, tries)) return;
  const { db, jobs } = deps;
  // He has paid by another way meanwhile. If nothing comes of it the next of the tries asks.
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

/**
 * What pays from now on is another: what its owner owes of renewals is charged by it at once, as the next of the tries.
 * Who pays by his own hand is not charged.
 */
export async function chargeAmountsDue(
  { jobs, collectionMethod }: { jobs: Jobs } & Pick<RenewDeps, 'collectionMethod'>,
  tx: Db,
  customerId: string,
): Promise<void> {
  const owed = await unpaidRenewals(tx, customerId)
    .selectAll('subscription')
    .select('invoice.id as invoiceId')
    .orderBy('subscription.id')
    .forUpdate('subscription')
    .execute();
  for (const { invoiceId, ...row } of owed) {
    const of = { customerId, subscriptionId: row.id };
    if ((await collectionMethod(tx, of)) === 'sendInvoice') continue;
    const tries = row.tries + 1;
    await setRenewal(tx, row, { tries });
    await jobs.enqueue(tx, 'chargeRenewal', { invoiceId, tries: String(tries) });
  }
}
