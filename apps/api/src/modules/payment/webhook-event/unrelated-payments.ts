import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { GatewayBooks } from '../../../ports/gateway-books.ts';
import type { Provider } from '../../../ports/payment-gateway.ts';
import { resolveAlert } from '../../alert/index.ts';

/** The payment, refund or dispute does belong to this shop; the message names it. */
class NotUnrelated extends Error {
  override name = 'NotUnrelated';
}

/**
 * Records that a payment, refund or dispute at a gateway does not belong to this shop: its alerts are resolved, and the
 * comparison of the books leaves it out.
 * @throws NotUnrelated also for a refund that the gateway assigns to a payment of this shop
 */
export async function markUnrelated(
  { db, clock, providers }: { db: Db; clock: Clock; providers: readonly GatewayBooks[] },
  { provider, ref, reason }: { provider: Provider; ref: string; reason: string },
): Promise<void> {
  const refund = await providers.find(books => books.provider === provider)?.refund(ref);
  await db.transaction().execute(async tx => {
    const now = clock.now();
    const ours = await ourNameOf(tx, ref);
    if (ours) throw new NotUnrelated(`${ref} is ${ours} of this shop: not unrelated`);
    const payment =
      refund &&
      (await attemptNamed(tx, refund.paymentRef).where('currency', '=', refund.currency).executeTakeFirst());
    if (payment) throw new NotUnrelated(`${ref} refunds ${payment.id} of this shop: book it (refund --made)`);
    await tx
      .insertInto('foreign_money')
      .values({ provider, ref, reason, said_at: now })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    for (const kind of ['payment.unknown', 'refund.unknown', 'dispute.unknown'] as const) {
      await resolveAlert(tx, now, kind, ref);
    }
    await resolveAlert(tx, now, 'provider.differs', `${provider} ${ref}`);
  });
}

/** Whether staff has marked it as unrelated. */
export const isUnrelated = async (db: Db, provider: Provider, ref: string): Promise<boolean> =>
  (await db
    .selectFrom('foreign_money')
    .select('ref')
    .where('provider', '=', provider)
    .where('ref', '=', ref)
    .executeTakeFirst()) !== undefined;

/** The shop's own ID of it; undefined where there is none. */
async function ourNameOf(tx: Db, ref: string): Promise<string | undefined> {
  const known = await attemptNamed(tx, ref)
    .unionAll(tx.selectFrom('refund').select('id').where('provider_ref', '=', ref))
    .unionAll(tx.selectFrom('dispute').select('id').where('provider_ref', '=', ref))
    .executeTakeFirst();
  return known?.id;
}

const attemptNamed = (tx: Db, ref: string) =>
  tx
    .selectFrom('attempt')
    .select('id')
    .where(({ or, eb }) => or([eb('provider_ref', '=', ref), eb('charge_ref', '=', ref)]));
