import { heardSince } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import { minute } from '../../kernel/minute.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { resolveAlert, syncAlerts } from '../alert/index.ts';

type Silent = { id: string; seenAt: Date; subscriptions: number };

/**
 * Hosts in service that have fallen silent, with how many subscriptions are on each. Left out is what somebody has
 * planned: a drained host that nobody is on any more, or is leaving for another one that waits for its word, and one whose
 * next machine is being set up just now.
 * @param wall of a token's end
 */
async function silentHosts(db: Db, now: Date, wall: Date): Promise<Silent[]> {
  const { rows } = await sql<Silent>`
    select host.id, seen_at as "seenAt", runs.count as subscriptions
    from host cross join lateral (
      select count(*)::int from assignment where host_id = host.id and (assignment.status <> 'leaving' or exists (
        select from assignment next
        where next.subscription_id = assignment.subscription_id and next.status <> 'leaving'
      ))
    ) runs
    where host.status = 'active' and seen_at <= ${heardSince(now)}
      and not (draining and runs.count = 0) and (enrol_expires_at is null or enrol_expires_at <= ${wall})
    order by host.id`.execute(db);
  return rows;
}

/**
 * A scheduled task that believes in a host's silence. Not before all have had the time to speak again after this program began: the shop
 * itself may have been away, or be restored from a backup.
 */
export function onceHeard(wall: Clock, { name, run }: ScheduledTask): ScheduledTask {
  const begun = wall.now();
  return {
    name,
    async run() {
      if (begun <= heardSince(wall.now())) await run();
    },
  };
}

/** Keeps those hosts on the list of what needs somebody's hand, and no others. */
export const silentHostsTask = ({ db, clock, wall }: { db: Db; clock: Clock; wall: Clock }): ScheduledTask =>
  onceHeard(wall, {
    name: 'tellSilentHosts',
    async run() {
      const silent = await silentHosts(db, clock.now(), wall.now());
      const alerts = silent.map(({ id, seenAt, subscriptions }) => ({
        subject: id,
        what: { silentSince: minute(seenAt), subscriptions },
      }));
      await syncAlerts(db, clock.now(), 'host.silent', alerts);
    },
  });

/** What a host's own reports raise, and mend. */
const TOLD_BY_HOSTS = ['entitlement.drift', 'delivery.failed', 'delivery.unchecked', 'host.clock'] as const;

/** Of a retired host no report comes any more by which what it has told would go. */
export const resolveRetiredTask = ({ db }: { db: Db }): ScheduledTask => ({
  name: 'mendRetired',
  async run() {
    const retired = await db.selectFrom('host').select('id').where('status', '=', 'retired').execute();
    for (const kind of TOLD_BY_HOSTS) await resolveAlert(db, kind, ...retired.map(({ id }) => id));
  },
});
