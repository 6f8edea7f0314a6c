import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { moveShopClock, type ShopClock } from '../adapters/shop-clock.ts';
import { asApplication } from '../database/scope.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { shiftHostTimes } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { nextDue } from './next-due.ts';

/** The stand-in providers, whose clock goes with the shop's. */
export type Sandbox = { url: string; token: string };

type Moving = { db: Db; clock: ShopClock; jobs: Pick<Jobs, 'enqueue'>; sandbox: Sandbox };

/** Scheduled tasks run every minute at most: nothing is due more often. */
const MINUTE_MS = 60_000;
/** While this long nothing of what is due gets done, time may not go on: it would pass over what hangs. */
const PATIENCE_MS = 60_000;
/** So long until it is looked again whether all is done. */
const LOOK_MS = 10;

/**
 * Moves the shop's clock and that of its stand-in providers forward, from one due instant to the next, and lets everything
 * that falls due on the way be done in its time.
 * @returns how many stops it made
 * @throws OperatorFault when somebody else moves it at the same time, or when what is due is not done: it stays there
 */
export async function moveClock(deps: Moving, ms: number, patienceMs = PATIENCE_MS): Promise<number> {
  const { db, clock, jobs, sandbox } = deps;
  const doWhatIsDue = async (): Promise<void> => {
    await asApplication(() => jobs.enqueue(db, 'runAllTasks', {}));
    await untilIdle(deps, patienceMs);
  };
  await clock.refresh();
  const target = clock.ahead() + ms;
  let looked = clock.now();
  await doWhatIsDue();
  for (let stops = 1; ; stops += 1) {
    const now = clock.now();
    // What was due at the last stop and is so still is looked at once more: a node's clock may have been behind.
    const due = await nextDue(db, looked);
    looked = now;
    const wanted = due ? Math.max(due.getTime() - now.getTime(), MINUTE_MS) : ms;
    const step = Math.min(wanted, target - clock.ahead());
    // Theirs first: what they sign must not be old when it arrives.
    await ask(sandbox, 'clock/advance', { ms: step });
    const moved = await db.transaction().execute(async tx => {
      if (!(await moveShopClock(tx, clock.ahead(), step))) return false;
      await shiftHostTimes(tx, step);
      return true;
    });
    if (!moved) throw new OperatorFault('Somebody else is moving the clock.');
    await clock.refresh();
    await doWhatIsDue();
    if (clock.ahead() >= target) return stops;
  }
}

/**
 * Waits until no job is due; those that failed wait for their next try in real time.
 * @throws OperatorFault
 */
async function untilIdle({ db, clock, sandbox }: Moving, patienceMs: number): Promise<void> {
  let before = 0;
  let end = 0;
  for (let quiet = false; ; ) {
    const { waiting, names } = await dueJobs(db);
    if (waiting === 0 && quiet) return;
    quiet = waiting === 0;
    if (waiting !== before) end = performance.now() + patienceMs;
    else if (waiting > 0 && performance.now() > end)
      throw new OperatorFault(
        `The clock stands still at ${clock.now().toISOString()}: ${names} is due and not done. Does a worker run, and do all providers answer?`,
      );
    before = waiting;
    // What was done has told the providers something, and what they say to it is a job by then.
    if (quiet) await ask(sandbox, 'deliveries/settled');
    else await delay(LOOK_MS);
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
  if (!answer.ok) throw new OperatorFault(`The stand-in providers answered ${answer.status} to ${what}.`);
}
