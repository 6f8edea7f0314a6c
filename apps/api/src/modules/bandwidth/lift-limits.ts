import type { Db } from '../../ports/database.ts';

/** Deletes key limits above the line rate of a plan, in the transaction that changes the plan. */
export const liftLimits = (tx: Db, subscriptionId: string, rateMbit: number) =>
  tx
    .deleteFrom('key_rate')
    .where('rate_mbit', '>', rateMbit)
    .where('key_id', 'in', eb =>
      eb.selectFrom('vpn_key').select('id').where('subscription_id', '=', subscriptionId),
    )
    .execute();
