import type { Db } from '../../ports/database.ts';

/** Limits above the line of a plan end: the line is what nobody goes above. In the transaction that changes the plan. */
export const liftLimits = (tx: Db, subscriptionId: string, rateMbit: number) =>
  tx
    .deleteFrom('key_rate')
    .where('rate_mbit', '>', rateMbit)
    .where('key_id', 'in', eb =>
      eb.selectFrom('vpn_key').select('id').where('subscription_id', '=', subscriptionId),
    )
    .execute();
