import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Signer } from '../../ports/signer.ts';
import { hasRoom } from '../catalog/index.ts';
import {
  assignHost,
  hasNotStarted,
  isHostFailing,
  leaveUnusableHost,
  newServer,
} from '../provisioning/index.ts';
import type { SubscriptionDeps } from './deps.ts';

/** Limit per location and run, so that a full location does not starve the others. */
const BATCH_OF_A_PLACE = 50;

/**
 * Paid subscriptions that need a host, the oldest of each location that has room. They have none, or were never up and have a
 * host that is silent, or that fails while another one has room. The oldest are read by the index of each product, so that a
 * long queue at one location costs nothing.
 */
export async function waitingForHost(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select waiting.id from offer cross join lateral (
      select oldest.id from product cross join lateral (
        select id, created_at from subscription
        where product_id = product.id and status = 'provisioning' and not exists (
          select from assignment join host on host.id = assignment.host_id
          where assignment.subscription_id = subscription.id and assignment.status <> 'leaving'
            and (subscription.started_at is not null or (host.seen_at > ${onlineSince(now)}
              and not (${hasNotStarted(now)} and ${hasRoom(now, onlineSince(now), sql`not ${isHostFailing}`)}))))
        order by created_at limit ${BATCH_OF_A_PLACE}
      ) oldest
      where product.provider_id = offer.provider_id and product.region_id = offer.region_id
        and product.vendor_id = offer.vendor_id
      order by oldest.created_at limit ${BATCH_OF_A_PLACE}
    ) waiting
    where ${hasRoom(now)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Assigns a host to a paid subscription that waits for one. Its certificate is issued before the transaction. */
export async function placeWaiting(
  deps: SubscriptionDeps & { systemClock: Clock; signer: Signer },
  subscriptionId: string,
): Promise<void> {
  const { db, systemClock, signer } = deps;
  const server = await newServer(db, signer, subscriptionId, systemClock.now());
  if (!server) return;
  await db.transaction().execute(async tx => {
    const row = await tx
      .selectFrom('subscription')
      .innerJoin('product', 'product.id', 'subscription.product_id')
      .select([
        'subscription.id',
        'subscription.customer_id as customerId',
        'subscription.started_at as startedAt',
        'product.provider_id as providerId',
        'product.region_id as regionId',
        'product.vendor_id as vendorId',
      ])
      .where('subscription.id', '=', subscriptionId)
      .where('subscription.status', '=', 'provisioning')
      .forUpdate('subscription')
      .executeTakeFirst();
    if (!row) return;
    if (!row.startedAt) await leaveUnusableHost(deps, tx, row.id);
    await assignHost(deps, tx, row, server);
  });
}
