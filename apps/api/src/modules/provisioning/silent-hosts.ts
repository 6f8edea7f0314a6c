import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type Silent = { id: string; seenAt: Date; subscriptions: number };

/**
 * Active hosts that have stopped reporting. Leaves out planned silence: a drained host without subscriptions that depend on
 * it, and a host whose replacement machine has a valid enrolment token.
 * @param wall system time, by which enrolment tokens expire
 */
export async function silentHosts(db: Db, now: Date, wall: Date): Promise<Silent[]> {
  const { rows } = await sql<Silent>`
    select host.id, seen_at as "seenAt", runs.count as subscriptions
    from host cross join lateral (
      select count(*)::int from assignment where host_id = host.id and (assignment.status <> 'leaving' or exists (
        select from assignment next
        where next.subscription_id = assignment.subscription_id and next.status <> 'leaving'
      ))
    ) runs
    where host.status = 'active' and seen_at <= ${onlineSince(now)}
      and not (draining and runs.count = 0) and (enrol_expires_at is null or enrol_expires_at <= ${wall})
    order by host.id`.execute(db);
  return rows;
}

/**
 * Whether the silence of a host can be believed: not before every host had the time to report after this program started.
 * The shop itself may have been away, or was restored from a backup.
 */
export const canJudgeSilence = (startedAt: Date, wall: Date): boolean => startedAt <= onlineSince(wall);
