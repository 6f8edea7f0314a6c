import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { clearStoppedHost, fenceMachine } from './fenced-host.ts';
import { type HostOccupancy, lockHost, occupancyOf } from './hosts.ts';

type Deps = { live: LiveBus; clock: Clock };

/**
 * Takes a host out of service for good: its certificates open nothing any more, it is told so when it asks, and ends its
 * tunnels. What was never up on it is placed again like that of a silent host.
 * @param evenWithCustomers ends their tunnels at once: of a machine that fell into other hands
 * @param isOff the operator's word that the machine serves nobody any more
 * @throws Error when there is no such host, customers are on it, or some of its addresses are held for who may come back
 */
export function retireHost(
  { db, ...deps }: Deps & { db: Db },
  hostId: string,
  { evenWithCustomers, isOff }: { evenWithCustomers: boolean; isOff: boolean },
): Promise<HostOccupancy> {
  return db.transaction().execute(async tx => {
    await lockHost(tx, hostId);
    const stays = await occupancyOf(tx, hostId);
    const { runs, held } = stays;
    if (runs + held > 0 && !evenWithCustomers)
      throw new Error(
        `${runs} subscriptions are on ${hostId}, and ${held} addresses there are held for others. Move them first: npm run shop -- host move --host ${hostId} --to HOST. To end their tunnels now: --even-with-customers`,
      );
    await retire(deps, tx, hostId, isOff);
    return stays;
  });
}

/** {@link retireHost} as a part of a larger change. */
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
  // Also of machines that were ended before and have not answered.
  if (isOff)
    await tx
      .updateTable('fenced_host')
      .set({ stopped_at: clock.now() })
      .where('host_id', '=', hostId)
      .where('stopped_at', 'is', null)
      .execute();
  await clearStoppedHost({ live, clock }, tx, hostId);
  // It may be waiting for an answer: that one is a refusal.
  await live.hostChanged(tx, hostId);
}
