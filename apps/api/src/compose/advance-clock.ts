import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { moveShopClock, type ShopClock } from '../adapters/shop-clock.ts';
import { asApplication } from '../database/scope.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { shiftHostTimes } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { nextDue } from './next-due.ts';

/** The sandbox, whose clock moves with the shop's. */
export type Sandbox = { url: string; token: string };

type ClockDeps = { db: Db; clock: ShopClock; jobs: Pick<Jobs, 'enqueue'>; sandbox: Sandbox };

/** Shortest step: scheduled tasks run every minute at most. */
const MINUTE_MS = 60_000;
/** If no due job finishes for this long, the clock stops, so that it does not pass over a job that hangs. */
const STALL_MS = 60_000;
/** Interval between two checks whether all due jobs are done. */
const POLL_MS = 10;

/**
 * Advances the clocks of the shop and its sandbox from one due instant to the next, and runs everything that becomes due at
 * each.
 * @returns the number of stops
 * @throws OperatorFault when another command advances it at the same time, or due work does not finish: the clock stays there
 */
export async function advanceClock(deps: ClockDeps, ms: number, stallMs = STALL_MS): Promise<number> {
  const { db, clock, jobs, sandbox } = deps;
  const runDueWork = async (): Promise<void> => {
    await asApplication(() => jobs.enqueue(db, 'runAllTasks', {}));
    await untilIdle(deps, stallMs);
  };
  await clock.refresh();
  const target = clock.ahead() + ms;
  let checked = clock.now();
  await runDueWork();
  for (let stops = 1; ; stops += 1) {
    const now = clock.now();
    // From the last stop on, because a node's clock may have been behind there.
    const due = await nextDue(db, checked);
    checked = now;
    const wanted = due ? Math.max(due.getTime() - now.getTime(), MINUTE_MS) : ms;
    const step = Math.min(wanted, target - clock.ahead());
    // The sandbox first: the signatures of its webhooks must not be too old when they arrive.
    await ask(sandbox, 'clock/advance', { ms: step });
    const moved = await db.transaction().execute(async tx => {
      if (!(await moveShopClock(tx, clock.ahead(), step))) return false;
      await shiftHostTimes(tx, step);
      return true;
    });
    if (!moved)
      throw new OperatorFault('Another command is moving the clock. Wait until it ends, then try again.');
    await clock.refresh();
    await runDueWork();
    if (clock.ahead() >= target) return stops;
  }
}

/**
 * Waits until no job is due. Failed jobs wait for their retry in real time.
 * @throws OperatorFault
 */
async function untilIdle({ db, clock, sandbox }: ClockDeps, stallMs: number): Promise<void> {
  let before = 0;
  let end = 0;
  for (let quiet = false; ; ) {
    const { waiting, names } = await dueJobs(db);
    if (waiting === 0 && quiet) return;
    quiet = waiting === 0;
    if (waiting !== before) end = performance.now() + stallMs;
    else if (waiting > 0 && performance.now() > end)
      throw new OperatorFault(
        `The clock stopped at ${clock.now().toISOString()}: these jobs are due and do not finish: ${names}. Check that a worker runs. Check that the sandbox answers.`,
      );
    before = waiting;
    // The jobs may have caused webhooks of the sandbox; each is a job once it is delivered.
    if (quiet) await ask(sandbox, 'deliveries/settled');
    else await delay(POLL_MS);
  }
}

async function dueJobs(db: Db): Promise<{ waiting: number; names: string | null }> {
  const { rows } = await sql<{ waiting: number; names: string | null }>`
    select count(*)::int as waiting, string_agg(distinct name, ', ') as names from (
      select name from pgboss.job where start_after <= now() and state in ('created', 'active')
      union all select name from job_request) due`.execute(db);
  return rows[0]!;
}

/** @throws OperatorFault */
async function ask({ url, token }: Sandbox, what: string, body?: object): Promise<void> {
  const answer = await fetch(`${url}/_sbx/${what}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new OperatorFault(`The sandbox answered ${answer.status} to ${what}.`);
}
