import { sql } from 'kysely';
import { eachRow } from '../../jobs/each-row.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs, ScheduledTask } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import { forgetAllStopped } from './fenced-host.ts';
import { newServer } from './identity.ts';
import { followMovesOf } from './move.ts';
import { markHostDirty } from './pending-change.ts';
import { giveUpAddress, tellHolder } from './release.ts';
import { onceHeard, resolveRetiredTask, silentHostsTask } from './silent-hosts.ts';
import { forgetDays } from './usage.ts';

const BATCH = 500;
/** A server certificate is renewed this long before its end: time enough for a host that is away. */
const RENEW_BEFORE_MS = 60 * 24 * 60 * 60 * 1000;

/** What provisioning looks after every minute: addresses whose time is over, certificates that end soon, hosts that
 * are not heard of. */
export function provisioningTasks(deps: {
  db: Db;
  clock: Clock;
  wall: Clock;
  jobs: Jobs;
  live: LiveBus;
}): ScheduledTask[] {
  const { db, clock, wall, jobs } = deps;
  return [
    {
      name: 'giveUpAddresses',
      async run() {
        const over = await db
          .selectFrom('static_ip')
          .select('subscription_id')
          .where('reserved_until', '<=', clock.now())
          .orderBy('reserved_until')
          .limit(BATCH)
          .execute();
        const subscriptions = over.map(row => row.subscription_id!);
        await eachRow(subscriptions, String, id =>
          db.transaction().execute(async tx => {
            if (await isOver(tx, clock.now(), id)) await giveUpAddress(deps, tx, id);
          }),
        );
      },
    },
    {
      name: 'tellHolders',
      async run() {
        const due = await db
          .selectFrom('static_ip')
          .select(['address', 'subscription_id'])
          .where('notify_at', '<=', clock.now())
          .orderBy('notify_at')
          .limit(BATCH)
          .execute();
        await eachRow(
          due,
          row => row.subscription_id!,
          ({ address }) => db.transaction().execute(tx => tellHolder(deps, tx, address)),
        );
      },
    },
    {
      name: 'forgetIdentities',
      async run() {
        const over = db
          .selectFrom('subscription_identity as identity')
          .select('subscription_id')
          .where('ended_at', 'is not', null)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('assignment')
                  .select('id')
                  .whereRef('assignment.subscription_id', '=', 'identity.subscription_id'),
              ),
            ),
          )
          .limit(BATCH);
        await db
          .deleteFrom('subscription_identity')
          .where('subscription_id', '=', sql<string>`any(array(${over}))`)
          // Asked again of the row itself: its customer may have taken it up while this waited for him.
          .where('ended_at', 'is not', null)
          .execute();
      },
    },
    { name: 'forgetUsageDays', run: () => forgetDays(db, clock.now()) },
    // Of a host that never answers its set is too old one day.
    { name: 'forgetStopped', run: () => forgetAllStopped(deps, 'retired') },
    onceHeard(wall, { name: 'forgetLost', run: () => forgetAllStopped(deps, 'lost') }),
    { name: 'followMoves', run: () => followMovesOf(deps) },
    silentHostsTask(deps),
    resolveRetiredTask(deps),
    {
      name: 'renewServerCertificates',
      async run() {
        const due = await db
          .selectFrom('assignment')
          .select('id')
          .where('status', '!=', 'leaving')
          .where('server_not_after', '<', new Date(wall.now().getTime() + RENEW_BEFORE_MS))
          .orderBy('server_not_after')
          .limit(BATCH)
          .execute();
        for (const { id } of due) await jobs.enqueue(db, 'renewServerCertificate', { assignmentId: id });
      },
    },
  ];
}

/** Locks the address: its customer may be taking it up again this moment. */
async function isOver(tx: Db, now: Date, subscriptionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', '=', subscriptionId)
    .where('reserved_until', '<=', now)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Renews a server certificate that ends soon; its host fetches it like any other change. */
export async function renewServerCertificate(
  { db, signer, wall, live }: { db: Db; signer: Signer; wall: Clock; live: LiveBus },
  assignmentId: string,
): Promise<void> {
  const row = await db
    .selectFrom('assignment')
    .select(['subscription_id', 'customer_id', 'host_id', 'server_not_after'])
    .where('id', '=', assignmentId)
    .where('status', '!=', 'leaving')
    .executeTakeFirst();
  if (!row || row.server_not_after.getTime() > wall.now().getTime() + RENEW_BEFORE_MS) return;
  const renewed = await newServer(db, signer, row.subscription_id, wall.now());
  if (!renewed) return;
  await db.transaction().execute(async tx => {
    await tx
      .updateTable('assignment')
      .set({
        server_certificate: renewed.serverCertificate,
        server_key_sealed: renewed.serverKeySealed,
        server_not_after: renewed.serverNotAfter,
      })
      .where('id', '=', assignmentId)
      .where('server_not_after', '=', row.server_not_after)
      .execute();
    await markHostDirty(live, tx, row.host_id, {
      subscriptionId: row.subscription_id,
      customerId: row.customer_id,
    });
  });
}
