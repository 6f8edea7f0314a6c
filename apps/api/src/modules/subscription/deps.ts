import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';

/** What moving a subscription needs. */
export type MoveDeps = { clock: Clock; jobs: Jobs; live: LiveBus };
export type SubscriptionDeps = MoveDeps & { db: Db };
