import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { JobRunner } from '../adapters/jobs/runner.ts';
import { moveShopClock, type ShopClock } from '../adapters/shop-clock.ts';
import { hostsKeepPace } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';
import { nextDue } from './next-due.ts';

/** The stand-in providers, whose clock goes with the shop's. */
export type Sandbox = { url: string; token: string };

/** Duties are looked after every minute: nothing is due more often. */
const MINUTE_MS = 60_000;
/** What is not done after so long fails, and is tried again by itself. */
const PATIENCE_MS = 60_000;

/**
 * Moves the shop's clock and that of its stand-in providers forward, from one due instant to the next, and lets everything
 * that falls due on the way be done in its time.
 * @returns how many stops it made
 * @throws when somebody else moves it at the same time
 */
export async function moveClock(
  deps: { db: Db; clock: ShopClock; jobs: JobRunner; sandbox: Sandbox },
  ms: number,
): Promise<number> {
  const { db, clock, jobs, sandbox } = deps;
  await clock.refresh();
  const target = clock.ahead() + ms;
  await doWhatIsDue(db, jobs);
  for (let stops = 1; ; stops += 1) {
    const now = clock.now();
    const due = await nextDue(db, now);
    const wanted = due ? Math.max(due.getTime() - now.getTime(), MINUTE_MS) : ms;
    const step = Math.min(wanted, target - clock.ahead());
    // Theirs first: what they sign must not be old when it arrives.
    await advanceSandbox(sandbox, step);
    const moved = await db.transaction().execute(async tx => {
      if (!(await moveShopClock(tx, clock.ahead(), step))) return false;
      await hostsKeepPace(tx, step);
      return true;
    });
    if (!moved) throw new Error('Somebody else is moving the clock.');
    await clock.refresh();
    await doWhatIsDue(db, jobs);
    if (clock.ahead() >= target) return stops;
  }
}

async function doWhatIsDue(db: Db, jobs: JobRunner): Promise<void> {
  // A duty that runs already may have looked by the earlier time.
  await untilIdle(db);
  await jobs.runDuties();
  await untilIdle(db);
}

/** Waits until no job is due; those that failed wait for their next try in real time. */
async function untilIdle(db: Db): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  // Twice in a row: what a provider answers may be on its way here.
  for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
    const { rows } = await sql`
      select from pgboss.job where start_after <= now() and state in ('created', 'active')
      union all select from job_request limit 1`.execute(db);
    quiet = rows.length === 0 ? quiet + 1 : 0;
    await delay(50);
  }
}

async function advanceSandbox({ url, token }: Sandbox, ms: number): Promise<void> {
  const answer = await fetch(`${url}/_sbx/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms }),
  });
  if (!answer.ok) throw new Error(`The stand-in providers answered ${answer.status} to the new time.`);
}
