import { addressesGivenUp } from '@fixpoint/domain/subscription/address-hold.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { endedServices } from './ended-service.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An expired subscription can be reactivated with its address for this long. */
const RESERVED_MS = 30 * DAY_MS;
/** Upper limit of a reservation that unpaid orders extend, so that repeated orders cannot reserve an address forever. */
const RESERVED_AT_MOST_MS = RESERVED_MS + 7 * DAY_MS;
/** Cooldown of a released address: firewalls and banks may still trust it, and must not admit a stranger. */
const COOLDOWN_MS = 7 * DAY_MS;
/** The customer is notified this long before the release. */
const NOTIFY_BEFORE_MS = 3 * DAY_MS;

/**
 * Reserves the address of a subscription that has just expired for its customer, and releases those that they give up by the
 * rule, this one or older ones.
 */
export async function reserveAddress(deps: { clock: Clock }, tx: Db, subscriptionId: string): Promise<void> {
  const holder = await tx
    .selectFrom('static_ip')
    .select('customer_id')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  if (!holder) return;
  const customerId = holder.customer_id!;
  // Two subscriptions of a customer that end at once count each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses of ${customerId}`}, 0))`.execute(tx);
  await reserve(deps, tx, subscriptionId);
  for (const { id } of addressesGivenUp(await endedServices(tx, customerId)))
    await releaseAddress(deps, tx, id);
}

async function reserve({ clock }: { clock: Clock }, tx: Db, subscriptionId: string): Promise<void> {
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

/** Extends a reservation at least until then, while an order for it can be paid. The caller respects `reserved_at_most`. */
export async function extendReservation(tx: Db, subscriptionId: string, until: Date): Promise<void> {
  await tx
    .updateTable('static_ip')
    .set({ reserved_until: until })
    .where('subscription_id', '=', subscriptionId)
    .where('reserved_until', '<', until)
    .execute();
}

/** Ends a reservation because the subscription was reactivated in time. The address stays, even if no host is free yet. */
export async function endReservation(tx: Db, subscriptionId: string): Promise<void> {
  await tx
    .updateTable('static_ip')
    .set({ reserved_until: null, reserved_at_most: null, notify_at: null })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** Whether a subscription has an address, in use or reserved. */
export async function hasAddress(tx: Db, subscriptionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** SQL condition on `static_ip` and `host`: the host uses the address itself, so it cannot serve anybody there. */
export const isHostsOwn = sql<boolean>`static_ip.bind_address = any(host.own_addresses)`;

/** SQL condition on `static_ip`: nobody can be served at the address, since its host is retired or uses it itself. */
export const isStranded = sql<boolean>`exists (
  select from address_pool pool join host on host.id = pool.host_id
  where pool.id = static_ip.pool_id
    and (host.status = 'retired' or ${isHostsOwn}))`;

/** Releases a stranded address, so that a reactivated subscription gets another one instead of waiting for a migration. */
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

/** Notifies the customer of a reserved address once that it will be released soon. */
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
  // The task may run late: then the address is released now, and a warning is pointless.
  if (!reserved?.reserved_until || reserved.reserved_until <= now) return;
  await jobs.enqueue(tx, 'sendEmail', {
    template: 'addressHeld',
    customerId: reserved.customer_id!,
    subjectId: reserved.subscription_id!,
    copy: reserved.reserved_until.toISOString(),
  });
}

/** Releases an address into its cooldown, and ends the identity of its subscription. */
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
