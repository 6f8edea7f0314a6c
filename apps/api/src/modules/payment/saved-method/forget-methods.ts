import { newId } from '../../../crypto/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';

type Forgets = { clock: Clock; jobs: Jobs };

/**
 * Deletes all saved methods of an account that ends, here and at the gateways: a card that stays attached there could be
 * charged by whoever gets our key.
 */
export async function forgetAllMethods(deps: Forgets, tx: Db, customerId: string): Promise<void> {
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
  for (const { method, provider_ref } of ended) await forgetLater(deps, tx, method, provider_ref);
}

/**
 * Has a job detach a deleted method at its gateway. A row of its own names it until that is done.
 */
export async function forgetLater(
  { clock, jobs }: Forgets,
  tx: Db,
  method: 'card' | 'paypal',
  ref: string,
): Promise<void> {
  const methodId = newId('met');
  await tx
    .insertInto('method_to_forget')
    .values({ id: methodId, method, provider_ref: ref, since: clock.now() })
    .execute();
  await jobs.enqueue(tx, 'forgetMethod', { methodId });
}

/** Detaches a deleted method at its gateway, unless it was saved again. The job retries for a day, then raises `job.dead`. */
export async function forgetMethod({ db, gateways }: PaymentDeps, methodId: string): Promise<void> {
  const ended = await db
    .selectFrom('method_to_forget')
    .select(['method', 'provider_ref'])
    .where('id', '=', methodId)
    .executeTakeFirst();
  if (!ended) return;
  const savedAgain = await db
    .selectFrom('saved_method')
    .select('id')
    .where('provider_ref', '=', ended.provider_ref)
    .executeTakeFirst();
  if (!savedAgain) await gatewayOf(gateways, ended.method).forget?.(ended.provider_ref);
  await db.deleteFrom('method_to_forget').where('id', '=', methodId).execute();
}
