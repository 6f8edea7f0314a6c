import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { clearStoppedHost, fenceMachine } from './fenced-host.ts';
import { type HostOccupancy, lockHost, lockOccupancy } from './hosts.ts';

type Deps = { live: LiveBus; clock: Clock };

/**
 * Takes a host out of service for good: revokes its certificates and fences its machine, which then ends its tunnels.
 * @param evenWithCustomers ends customers' tunnels at once, for a compromised machine
 * @param isOff the operator asserts that the machine serves nobody
 * @throws Error for an unknown host, or one with subscriptions or reserved addresses
 */
export function retireHost(
  { db, ...deps }: Deps & { db: Db },
  hostId: string,
  { evenWithCustomers, isOff }: { evenWithCustomers: boolean; isOff: boolean },
): Promise<HostOccupancy> {
  return db.transaction().execute(async tx => {
    const stays = await planRetirement(tx, hostId, evenWithCustomers);
    await retire(deps, tx, hostId, isOff);
    return stays;
  });
}

/** What would lose its host by {@link retireHost}. @throws Error where that refuses */
export async function planRetirement(
  db: Db,
  hostId: string,
  evenWithCustomers: boolean,
): Promise<HostOccupancy> {
  const stays = await lockOccupancy(db, hostId);
  const { runs, reserved } = stays;
  if (runs + reserved > 0 && !evenWithCustomers)
    throw new Error(
      `${hostId} has ${runs} subscriptions and ${reserved} reserved addresses.\nMove them first:\n  npm run shop -- host move --host ${hostId} --to HOST\nOr end their tunnels now with --even-with-customers.`,
    );
  return stays;
}

/** {@link retireHost} inside the caller's transaction, without its checks. */
export async function retire({ live, clock }: Deps, tx: Db, hostId: string, isOff: boolean): Promise<void> {
  await fenceMachine(tx, await lockHost(tx, hostId), isOff ? clock.now() : null);
  await tx
    .updateTable('host')
    .set({
      status: 'retired',
      certificate_hash: null,
      previous_certificate_hash: null,
      enrol_hash: null,
      enrol_expires_at: null,
      enrol_each_boot: false,
    })
    .where('id', '=', hostId)
    .execute();
  // Includes machines that were fenced earlier and have not confirmed.
  if (isOff)
    await tx
      .updateTable('fenced_host')
      .set({ stopped_at: clock.now() })
      .where('host_id', '=', hostId)
      .where('stopped_at', 'is', null)
      .execute();
  await clearStoppedHost({ live, clock }, tx, hostId);
  // Wakes a waiting request of the machine, which is refused now.
  await live.hostChanged(tx, hostId);
}
