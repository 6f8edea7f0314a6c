import type { SubscriptionDeps } from './deps.ts';

type ChargeDeps = SubscriptionDeps & {
  /** Of payment, against the order of modules. */
  charge(invoiceId: string, most: number): Promise<boolean>;
};

/** The `tries`-th charge of a renewal; what cannot be charged any more by us, its customer is asked for. */
export async function chargeRenewal(deps: ChargeDeps, invoiceId: string, tries: number): Promise<void> {
  if (await deps.charge(invoiceId, tries)) return;
  const { db, jobs } = deps;
  const of = await db
    .selectFrom('invoice')
    .select(['customer_id', 'subscription_id'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  await jobs.enqueue(db, 'sendMail', {
    mail: 'renewalDue',
    customerId: of.customer_id!,
    subjectId: of.subscription_id!,
    copy: `${invoiceId}-${tries}`,
  });
}
