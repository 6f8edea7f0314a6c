import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';

/** Dependencies of a state transition. */
export type TransitionDeps = { clock: Clock; jobs: Jobs; live: LiveBus };
export type SubscriptionDeps = TransitionDeps & { db: Db };
