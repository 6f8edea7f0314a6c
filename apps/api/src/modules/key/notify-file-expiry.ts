import { checkFileExpiry, expiresWith } from '@fixpoint/domain/key/file-end.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { lockOwn, stateOf, userOfDevice } from '../subscription/index.ts';

/** Devices check their files by the system clock. */
export type NotifyDeps = { db: Db; systemClock: Clock; jobs: Jobs };

/**
 * Notifies each user once per file that files of their devices expire soon, or sets when to check them again.
 */
export async function notifyFileExpiry(
  { db, systemClock, jobs }: NotifyDeps,
  { subscriptionId, customerId }: { subscriptionId: string; customerId: string },
): Promise<void> {
  await db.transaction().execute(async tx => {
    const subscription = await lockOwn(tx, customerId, subscriptionId);
    if (!subscription) return;
    const files = await newestFiles(tx, subscriptionId);
    const { notify, checks } = checkFileExpiry(stateOf(subscription), files, systemClock.now());
    for (const { id, notifyAt } of checks)
      await tx.updateTable('vpn_key').set({ notify_at: notifyAt }).where('id', '=', id).execute();
    if (!notify) return;
    const about = {
      template: 'fileExpiring' as const,
      customerId,
      subjectId: subscriptionId,
      copy: notify.toISOString(),
    };
    const users = files.flatMap(({ until, userId }) => (expiresWith(notify, until) ? [userId] : []));
    await jobs.enqueueAll(
      tx,
      'sendEmail',
      [...new Set(users)].map(userId => (userId === customerId ? about : { ...about, userId })),
    );
  });
}

/** Newest file of each device of a subscription, the first to expire first. */
export const newestFiles = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('vpn_key')
    .innerJoin('certificate', 'certificate.key_id', 'vpn_key.id')
    .select(['vpn_key.id', 'vpn_key.name', 'vpn_key.label', 'vpn_key.notify_at as notifyAt'])
    .select(userOfDevice.as('userId'))
    .select(({ fn }) => fn.max<Date>('certificate.not_after').as('until'))
    .where('vpn_key.subscription_id', '=', subscriptionId)
    .where('vpn_key.deleted_at', 'is', null)
    .where('certificate.revoked', '=', false)
    .groupBy('vpn_key.id')
    .orderBy('until')
    .execute();
