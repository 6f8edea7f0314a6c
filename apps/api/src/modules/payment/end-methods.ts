import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { newId } from '../../secrets.ts';
import type { PaymentDeps } from './deps.ts';
import { gatewayOf } from './store.ts';

/**
 * An account that ends keeps no way to pay, here and at the providers: a card that stays attached there could be charged
 * by whoever gets at our key. The last that names it is written down with the end, and gone once it is forgotten there.
 */
export async function endMethods(
  { clock, jobs }: { clock: Clock; jobs: Jobs },
  tx: Db,
  customerId: string,
): Promise<void> {
  await tx
    .updateTable('attempt')
    .set({ saved_method_id: null })
    .where('customer_id', '=', customerId)
    .execute();
  const ended = await tx
    .deleteFrom('saved_method')
    .where('customer_id', '=', customerId)
    .returning(['method', 'provider_ref'])
    .execute();
  for (const { method, provider_ref } of ended) {
    const methodId = newId('met');
    await tx
      .insertInto('method_to_forget')
      .values({ id: methodId, method, provider_ref, since: clock.now() })
      .execute();
    await jobs.enqueue(tx, 'forgetMethod', { methodId });
  }
}

/** The job of it: tried for about a day, then somebody's matter (`job.dead`). */
export async function forgetMethod({ db, gateways }: PaymentDeps, methodId: string): Promise<void> {
  const ended = await db
    .selectFrom('method_to_forget')
    .select(['method', 'provider_ref'])
    .where('id', '=', methodId)
    .executeTakeFirst();
  if (!ended) return;
  await gatewayOf(gateways, ended.method).forget?.(ended.provider_ref);
  await db.deleteFrom('method_to_forget').where('id', '=', methodId).execute();
}
