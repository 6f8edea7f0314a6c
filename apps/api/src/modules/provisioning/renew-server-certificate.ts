import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import { newServer } from './identity.ts';
import { markHostDirty } from './pending-change.ts';

/** A server certificate is renewed this long before its end: enough time for a host that is away. */
export const RENEW_BEFORE_MS = 60 * 24 * 60 * 60 * 1000;

/** Renews a server certificate that ends soon; its host fetches it like any other change. */
export async function renewServerCertificate(
  { db, signer, systemClock, live }: { db: Db; signer: Signer; systemClock: Clock; live: LiveBus },
  assignmentId: string,
): Promise<void> {
  const row = await db
    .selectFrom('assignment')
    .select(['subscription_id', 'customer_id', 'host_id', 'server_not_after'])
    .where('id', '=', assignmentId)
    .where('status', '!=', 'leaving')
    .executeTakeFirst();
  if (!row || row.server_not_after.getTime() > systemClock.now().getTime() + RENEW_BEFORE_MS) return;
  const renewed = await newServer(db, signer, row.subscription_id, systemClock.now());
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
