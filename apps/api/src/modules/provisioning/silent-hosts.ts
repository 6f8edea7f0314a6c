import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type Silent = {
  id: string;
  seenAt: Date;
  subscriptions: number;
  /**
   * Rights that ended and that the host may still serve, because it has not applied their end: deleted devices, revoked
   * files, ended or suspended subscriptions.
   */
  endedRights: number;
  /** Error of its clock in its last report, if that was wrong. A host that is days off refuses the shop's certificate. */
  clockMinutes: number | null;
};

/**
 * Active hosts that have stopped reporting. Leaves out planned silence: a drained host without subscriptions that depend on
 * it, and a host whose replacement machine has a valid enrolment token.
 * @param systemNow system time, by which enrolment tokens expire
 */
export async function silentHosts(db: Db, now: Date, systemNow: Date): Promise<Silent[]> {
  const { rows } = await sql<Silent>`
    select host.id, seen_at as "seenAt", runs.count as subscriptions, ended.count as "endedRights",
      (select (what->>'minutes')::int from open_alert where kind = 'host.clock' and subject = host.id) as "clockMinutes"
    from host cross join lateral (
      select (
        (select count(distinct key_id) from pending_change where host_id = host.id and ends)
        + (select count(distinct change.subscription_id) from pending_change change
          join subscription on subscription.id = change.subscription_id
          where change.host_id = host.id and subscription.suspended)
        + (select count(*) from assignment old where host_id = host.id and status = 'leaving' and not exists (
          select from assignment next where next.subscription_id = old.subscription_id and next.status <> 'leaving'))
      )::int as count
    ) ended cross join lateral (
      select count(*)::int from assignment where host_id = host.id and (assignment.status <> 'leaving' or exists (
        select from assignment next
        where next.subscription_id = assignment.subscription_id and next.status <> 'leaving'
      ))
    ) runs
    where host.status = 'active' and seen_at <= ${onlineSince(now)}
      and not (draining and runs.count = 0) and (enrol_expires_at is null or enrol_expires_at <= ${systemNow})
    order by host.id`.execute(db);
  return rows;
}

/**
 * Whether the silence of a host can be believed: not before every host had the time to report after this program started.
 * The shop itself may have been away, or was restored from a backup.
 */
export const canJudgeSilence = (startedAt: Date, systemNow: Date): boolean =>
  startedAt <= onlineSince(systemNow);
