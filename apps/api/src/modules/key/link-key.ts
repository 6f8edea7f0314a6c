import { linkEnd } from '@fixpoint/domain/key/key.ts';
import { newToken, tokenHash } from '../../crypto/secrets.ts';
import { refuse } from '../../kernel/refusal.ts';
import { lockOwn } from '../subscription/index.ts';
import { type KeyDeps, makeFile } from './keys.ts';

/**
 * A link by which another device gets a file for a key (K18): one at a time, kept as its hash. By the real time, like
 * whoever holds the device.
 */
export function linkKey(
  { db, wall }: KeyDeps,
  customerId: string,
  { subscriptionId, keyId }: { subscriptionId: string; keyId: string },
) {
  return db.transaction().execute(async tx => {
    if (!(await lockOwn(tx, customerId, subscriptionId))) return refuse('subscriptionNotFound');
    const token = newToken();
    const now = wall.now();
    const end = linkEnd(now);
    const linked = await tx
      .updateTable('vpn_key')
      .set({ link_hash: tokenHash(token), link_expires_at: end })
      .where('id', '=', keyId)
      .where('subscription_id', '=', subscriptionId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const endsIn = (end.getTime() - now.getTime()) / 1000;
    return linked ? { token, endsIn } : refuse('keyNotFound');
  });
}

/** The file that a link is for; the link goes with it. */
export function fetchKey(deps: KeyDeps, token: string) {
  const { db, wall } = deps;
  const link_hash = tokenHash(token);
  return db.transaction().execute(async tx => {
    const found = await tx
      .selectFrom('vpn_key')
      .select(['customer_id', 'subscription_id'])
      .where('link_hash', '=', link_hash)
      .executeTakeFirst();
    // Locked in the order in which every other change of a key locks.
    if (!found || !(await lockOwn(tx, found.customer_id, found.subscription_id)))
      return refuse('tokenInvalid');
    const key = await tx
      .selectFrom('vpn_key')
      .select(['id', 'customer_id', 'subscription_id'])
      .where('link_hash', '=', link_hash)
      .where('link_expires_at', '>', wall.now())
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!key) return refuse('tokenInvalid');
    const { id: keyId, subscription_id: subscriptionId } = key;
    const made = await makeFile(deps, tx, key.customer_id, { subscriptionId, keyId });
    if ('refusal' in made) return made;
    const used = { link_hash: null, link_expires_at: null };
    await tx.updateTable('vpn_key').set(used).where('id', '=', keyId).execute();
    // Its owner's page shows from when on the device has a file.
    await deps.live.publish(tx, `customer:${key.customer_id}`, 'SUBSCRIPTION', {
      event: 'detailFetch',
      id: subscriptionId,
    });
    return made;
  });
}
