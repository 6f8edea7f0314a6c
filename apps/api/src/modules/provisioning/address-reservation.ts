import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { markHostDirty } from './pending-change.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An expired subscription can be taken up again with its address for this long. */
const RESERVED_MS = 30 * DAY_MS;
/** And while he pays for it so long in all: an order that is not paid, and another, must not hold it for ever. */
const RESERVED_AT_MOST_MS = RESERVED_MS + 7 * DAY_MS;
/** An address that is given up rests this long: a firewall or a bank that still trusts it must not let a stranger in. */
const COOLDOWN_MS = 7 * DAY_MS;
/** Its customer hears so long before it is given up that it is. */
const NOTIFY_BEFORE_MS = 3 * DAY_MS;

/** Takes a subscription off its host; it goes from there when the host says that it runs it no longer. */
export async function leaveHost({ live }: { live: LiveBus }, tx: Db, subscriptionId: string): Promise<void> {
  const left = await tx
    .updateTable('assignment')
    .set({ status: 'leaving' })
    .where('subscription_id', '=', subscriptionId)
    .where('status', '!=', 'leaving')
    .returning(['host_id', 'customer_id'])
    .execute();
  for (const { host_id, customer_id } of left)
    await markHostDirty(live, tx, host_id, { subscriptionId, customerId: customer_id });
}

/** The address stays its customer's for a while. */
export async function reserveAddress(
  { clock }: { clock: Clock },
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  const now = clock.now().getTime();
  await tx
    .updateTable('static_ip')
    .set({
      reserved_until: new Date(now + RESERVED_MS),
      reserved_at_most: new Date(now + RESERVED_AT_MOST_MS),
      notify_at: new Date(now + RESERVED_MS - NOTIFY_BEFORE_MS),
    })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** The address is held until then at least: it is being paid for. No order is promised it beyond `reserved_at_most`. */
export async function extendReservation(tx: Db, subscriptionId: string, until: Date): Promise<void> {
  await tx
    .updateTable('static_ip')
    .set({ reserved_until: until })
    .where('subscription_id', '=', subscriptionId)
    .where('reserved_until', '<', until)
    .execute();
}

/** The address is its customer's again for good: he has taken up the subscription in time, also where no host is free. */
export async function endReservation(tx: Db, subscriptionId: string): Promise<void> {
  await tx
    .updateTable('static_ip')
    .set({ reserved_until: null, reserved_at_most: null, notify_at: null })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** Whether it has an address: its own, or one that is held for it. */
export async function hasAddress(tx: Db, subscriptionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an address is its host's own, which serves nobody there, as a condition on rows of `static_ip` and `host`. */
export const isHostsOwn = sql<boolean>`static_ip.bind_address = any(host.own_addresses)`;

/**
 * Whether an address leads nowhere until somebody does something, as a condition on rows of `static_ip`: its host is retired, or
 * it is that host's own by now.
 */
export const isStranded = sql<boolean>`exists (
  select from address_pool pool join host on host.id = pool.host_id
  where pool.id = static_ip.pool_id
    and (host.status = 'retired' or ${isHostsOwn}))`;

/** Who is taken up again waits for no range that somebody may move: he gets another address. */
export async function releaseStrandedAddress(
  deps: { clock: Clock },
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  const stranded = await tx
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', '=', subscriptionId)
    .where(isStranded)
    .executeTakeFirst();
  if (stranded) await releaseAddress(deps, tx, subscriptionId);
}

/** Emails the customer of a reserved address, once, that it is released soon. */
export async function notifyAddressRelease(
  { clock, jobs }: { clock: Clock; jobs: Jobs },
  tx: Db,
  address: string,
): Promise<void> {
  const now = clock.now();
  const reserved = await tx
    .updateTable('static_ip')
    .set({ notify_at: null })
    .where('address', '=', address)
    .where('notify_at', '<=', now)
    .returning(['subscription_id', 'customer_id', 'reserved_until'])
    .executeTakeFirst();
  // Too late: the address is released now.
  if (!reserved?.reserved_until || reserved.reserved_until <= now) return;
  await jobs.enqueue(tx, 'sendEmail', {
    template: 'addressHeld',
    customerId: reserved.customer_id!,
    subjectId: reserved.subscription_id!,
    copy: reserved.reserved_until.toISOString(),
  });
}

/** Releases the address, which is sold again after its cooldown, and ends the identity that its files trust. */
export async function releaseAddress(
  { clock }: { clock: Clock },
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  await tx
    .updateTable('subscription_identity')
    .set({ ended_at: clock.now() })
    .where('subscription_id', '=', subscriptionId)
    .execute();
  await tx
    .updateTable('static_ip')
    .set({
      subscription_id: null,
      customer_id: null,
      reserved_until: null,
      reserved_at_most: null,
      notify_at: null,
      cooldown_until: new Date(clock.now().getTime() + COOLDOWN_MS),
    })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}
