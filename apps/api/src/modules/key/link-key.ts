import { emailedLinkEnd, linkEnd } from '@fixpoint/domain/key/key.ts';
import { newToken, tokenHash } from '../../crypto/secrets.ts';
import type { Actor } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { lockForDevices, userOfDevice } from '../subscription/index.ts';
import { chooseBlocking, type KeyDeps, makeFile } from './keys.ts';

/** Creates the link by which another device fetches a file of a key (K18). One per key, stored as a hash, in system time. */
export function linkKey(
  { db, systemClock, live }: KeyDeps,
  { userId, customerId }: Actor,
  {
    subscriptionId,
    keyId,
    blockWhenEnded,
  }: { subscriptionId: string; keyId: string; blockWhenEnded?: boolean | undefined },
) {
  return db.transaction().execute(async tx => {
    if (!(await lockForDevices(tx, customerId, subscriptionId))) return refuse('subscriptionNotFound');
    const token = newToken();
    const now = systemClock.now();
    const end = linkEnd(now);
    const linked = await tx
      .updateTable('vpn_key')
      .set({ link_hash: tokenHash(token), link_expires_at: end })
      .where('id', '=', keyId)
      .where('subscription_id', '=', subscriptionId)
      .where('deleted_at', 'is', null)
      .where(userOfDevice, '=', userId)
      .returning(['id', 'subscription_id', 'block_when_ended'])
      .executeTakeFirst();
    // The device that follows the link gets what was chosen here.
    if (linked) await chooseBlocking({ live }, tx, linked, blockWhenEnded);
    const endsIn = (end.getTime() - now.getTime()) / 1000;
    return linked ? { token, endsIn } : refuse('keyNotFound');
  });
}

/**
 * Makes the token of the link that emails the file of a device to its user, when the email is sent: no queue ever holds it.
 * Replaces an earlier link of the device. @returns undefined once the device is deleted
 */
export async function emailedFileLink(
  db: Db,
  systemClock: Clock,
  keyId: string,
): Promise<string | undefined> {
  const token = newToken();
  const linked = await db
    .updateTable('vpn_key')
    .set({ link_hash: tokenHash(token), link_expires_at: emailedLinkEnd(systemClock.now()) })
    .where('id', '=', keyId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return linked && token;
}

/** Creates the file of a link, and consumes the link. */
export function fetchKey(deps: KeyDeps, token: string) {
  const { db, systemClock } = deps;
  const link_hash = tokenHash(token);
  return db.transaction().execute(async tx => {
    const found = await tx
      .selectFrom('vpn_key')
      .select(['customer_id', 'subscription_id'])
      .where('link_hash', '=', link_hash)
      .executeTakeFirst();
    // Locks in the same order as every other change of a key, to avoid deadlocks.
    if (!found || !(await lockForDevices(tx, found.customer_id, found.subscription_id)))
      return refuse('tokenInvalid');
    const key = await tx
      .selectFrom('vpn_key')
      .select(['id', 'customer_id', 'subscription_id', userOfDevice.as('userId')])
      .where('link_hash', '=', link_hash)
      .where('link_expires_at', '>', systemClock.now())
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!key) return refuse('tokenInvalid');
    const { id: keyId, subscription_id: subscriptionId, customer_id: customerId, userId } = key;
    const made = await makeFile(deps, tx, { userId, customerId, role: 'owner' }, { subscriptionId, keyId });
    if ('refusal' in made) return made;
    const used = { link_hash: null, link_expires_at: null };
    await tx.updateTable('vpn_key').set(used).where('id', '=', keyId).execute();
    // The owner's page shows since when the device has a file.
    await deps.live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', {
      event: 'detailFetch',
      id: subscriptionId,
    });
    return made;
  });
}
