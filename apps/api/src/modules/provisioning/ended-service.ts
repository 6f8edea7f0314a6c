import type { EndedService } from '@fixpoint/domain/subscription/address-hold.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type Ended = EndedService & { id: string; endedAt: Date };

/**
 * The service of a customer's subscriptions with a reserved address, from the last activation of each to the end after it.
 * A period that a withdrawal or replacement cut, or whose money was refunded, is none that was paid and ran to its end.
 */
export async function endedServices(tx: Db, customerId: string): Promise<Ended[]> {
  const { rows } = await sql<Omit<Ended, 'servedMs'> & { begunAt: Date | null; stoppedAt: Date }>`
    select subscription.id, begun.at as "begunAt", ended.at as "endedAt", stopped.at as "stoppedAt",
      exists (
        select from subscription_period period join invoice on invoice.id = period.invoice_id
        where period.subscription_id = subscription.id and period.starts_at >= begun.at
          and period.ends_at <= stopped.at
          and (period.ends_at < stopped.at or stopped.command not in ('withdraw', 'retire'))
          and period.ends_at - period.starts_at >= interval '1 day'
          and (invoice.total = 0 or invoice.total > (
            select coalesce(sum(total), 0) from credit_note where credit_note.invoice_id = invoice.id))
      ) as "ranPaidPeriod"
    from static_ip join subscription on subscription.id = static_ip.subscription_id
    cross join lateral (
      select max(at) as at from subscription_history
      where subscription_id = subscription.id and from_status <> 'expired' and to_status = 'expired'
    ) ended
    cross join lateral (
      select coalesce(max(at), subscription.started_at) as at, coalesce(max(version), -1) as version
      from subscription_history where subscription_id = subscription.id and command = 'activate'
    ) begun
    cross join lateral (
      select at, command from subscription_history
      where subscription_id = subscription.id and version > begun.version
        and from_status <> 'expired' and to_status = 'expired'
      order by version limit 1
    ) stopped
    where static_ip.customer_id = ${customerId} and static_ip.reserved_until is not null
    for update of static_ip`.execute(tx);
  return rows.map(({ begunAt, stoppedAt, ...row }) => ({
    ...row,
    servedMs: begunAt ? Math.max(0, stoppedAt.getTime() - begunAt.getTime()) : 0,
  }));
}
