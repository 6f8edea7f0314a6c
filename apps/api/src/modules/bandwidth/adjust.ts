import { decideLimits, type WantedLimit } from '@fixpoint/domain/bandwidth/limits.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { markDirty } from '../provisioning/index.ts';
import { lockOwn, refuseAction, stateOf } from '../subscription/index.ts';

export type AdjustDeps = { db: Db; clock: Clock; jobs: Jobs; live: LiveBus };

/** Sets bandwidth limits of keys. The host applies them to running tunnels without disconnecting anybody. */
export function adjust(
  deps: AdjustDeps,
  customerId: string,
  subscriptionId: string,
  wanted: readonly WantedLimit[],
): Promise<Refusal | Record<string, never>> {
  return deps.db.transaction().execute(async tx => {
    const subscription = await lockOwn(tx, customerId, subscriptionId);
    if (!subscription) return refuse('subscriptionNotFound');
    const allowed = can(stateOf(subscription), 'adjustBandwidth', deps.clock.now());
    if (!allowed.ok) return refuseAction(allowed.refusal);
    const keys = await tx
      .selectFrom('vpn_key')
      .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
      .select(['vpn_key.id', 'key_rate.rate_mbit as rateMbit'])
      .where('subscription_id', '=', subscriptionId)
      .where('deleted_at', 'is', null)
      .execute();
    const decision = decideLimits(subscription.rate_mbit, keys, wanted);
    if (!decision.ok) {
      return decision.refusal === 'aboveLine'
        ? refuseFields({ [`keys.${decision.at}.rateMbit`]: 'form.rate.invalid' })
        : refuse(decision.refusal);
    }
    if (decision.changed.length === 0) return {};
    for (const { id, rateMbit } of decision.changed) await setLimit(tx, customerId, id, rateMbit);
    await markDirty(deps, tx, subscriptionId);
    await deps.live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', {
      event: 'detailFetch',
      id: subscriptionId,
    });
    return {};
  });
}

async function setLimit(tx: Db, customerId: string, keyId: string, rateMbit: number | null): Promise<void> {
  if (rateMbit === null) {
    await tx.deleteFrom('key_rate').where('key_id', '=', keyId).execute();
    return;
  }
  await tx
    .insertInto('key_rate')
    .values({ key_id: keyId, customer_id: customerId, rate_mbit: rateMbit })
    .onConflict(conflict => conflict.column('key_id').doUpdateSet({ rate_mbit: rateMbit }))
    .execute();
}
