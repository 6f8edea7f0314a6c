import { checkCardExpiry } from '@fixpoint/domain/payment/card.ts';
import { chargeAt } from '@fixpoint/domain/subscription/renewal.ts';
import type { NotNull } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import type { PaymentDeps } from '../deps.ts';
import { collectionMethodOf } from './collection-method.ts';

export type NotifyDeps = Pick<PaymentDeps, 'db' | 'clock' | 'jobs' | 'gateways'>;

/**
 * Notifies the owner of a card that it expires before its next charge, once per card and expiry; or schedules the next check.
 */
export async function notifyCardExpiry(deps: NotifyDeps, methodId: string): Promise<void> {
  const { db, clock, jobs } = deps;
  await db.transaction().execute(async tx => {
    const now = clock.now();
    const card = await tx
      .selectFrom('saved_method')
      .select(['customer_id as customerId', 'is_default as isDefault'])
      .select(['expiry_month as expiryMonth', 'expiry_year as expiryYear'])
      .$narrowType<{ expiryMonth: NotNull; expiryYear: NotNull }>()
      .where('id', '=', methodId)
      .where('notify_at', '<=', now)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!card) return;
    const next = card.isDefault ? await nextCharge(deps, tx, card.customerId) : undefined;
    const check = checkCardExpiry(card, next?.at, now);
    const notifies = check === 'notify';
    await tx
      .updateTable('saved_method')
      .set({ notify_at: notifies ? null : check })
      .where('id', '=', methodId)
      .execute();
    if (!next || !notifies) return;
    await jobs.enqueue(tx, 'sendEmail', {
      template: 'cardExpiring',
      customerId: card.customerId,
      subjectId: next.subscriptionId,
      copy: `${methodId} ${card.expiryYear}-${card.expiryMonth}`,
    });
  });
}

/** The renewal that is charged next to a customer's default method. */
async function nextCharge(deps: NotifyDeps, tx: Db, customerId: string) {
  const renewing = await tx
    .selectFrom('subscription')
    .select(['id', 'period_start', 'period_end'])
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('cancel_at_period_end', '=', false)
    .where('suspended', '=', false)
    .orderBy('period_end')
    .execute();
  for (const { id: subscriptionId, period_start, period_end } of renewing) {
    const method = await collectionMethodOf(deps, tx, { customerId, subscriptionId });
    if (method === 'chargeAutomatically')
      return { subscriptionId, at: chargeAt({ start: period_start!, end: period_end! }) };
  }
  return undefined;
}
