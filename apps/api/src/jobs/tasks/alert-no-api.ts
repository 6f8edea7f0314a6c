import { sql } from 'kysely';
import { syncAlerts } from '../../modules/alert/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';

/** What a worker saw at its last look, by the system clock. `since`: since when no API runs. */
export type ApiWatch = { lookedAt?: Date; nodes?: readonly string[]; since?: Date | undefined };
type Deps = { db: Db; clock: Clock; systemClock: Clock; apiWatch: ApiWatch };

/** An upgrade takes ten seconds; so does a start of both services at once. */
const ABSENT_MS = 2 * 60_000;
/** Other workers look meanwhile. What was seen before a longer pause does not count. */
const PAUSE_MS = 5 * 60_000;

export const alertNoApiTask: ScheduledTask<Deps> = {
  name: 'alertNoApi',
  interval: 'minute',
  description: 'Raises an alert while no node that answers calls runs.',
  async run({ db, clock, systemClock, apiWatch }) {
    const now = systemClock.now();
    const rows = await db
      .selectFrom('node')
      .select('id')
      .where('role', 'in', ['api', 'all'])
      .where('seen_at', '>', sql<Date>`now() - interval '45 seconds'`)
      .execute();
    const nodes = rows.map(({ id }) => id);
    const { lookedAt, nodes: before = [], since: missed } = apiWatch;
    const goesOn = lookedAt && now.getTime() - lookedAt.getTime() < PAUSE_MS;
    // One that ends soon after each start has another name each time.
    const runs = nodes.some(id => before.includes(id));
    const since = runs ? undefined : goesOn ? (missed ?? now) : now;
    Object.assign(apiWatch, { lookedAt: now, nodes, since });
    if (!since) await syncAlerts(db, clock.now(), 'node.noApi', []);
    else if (now.getTime() - since.getTime() >= ABSENT_MS)
      await syncAlerts(db, clock.now(), 'node.noApi', [
        { subject: 'api', what: { since: since.toISOString() } },
      ]);
  },
};
