import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseGone } from '../kernel/database-gone.ts';

/** Interval at which a silent database is asked again, and the time that it has to answer, in ms. */
const AGAIN_MS = 1_000;
const ANSWER_MS = 2_000;
/** Lines kept back until it is known whether the database answers. */
const MOST_HELD = 1_000;

export type DatabaseOutage = ReturnType<typeof createDatabaseOutage>;

/**
 * Keeps the errors of a database that is away out of the log, where every call, job and scheduled task would write one: one
 * line says that it went, and one that it is back. The database itself is asked: a gateway's error that looks alike is
 * written, a moment later.
 * @param write writes a line that was kept back
 */
export function createDatabaseOutage(write: (line: string) => void) {
  let watching: { answers: () => Promise<unknown>; log: Logger; over: AbortController } | undefined;
  let isDown = false;
  let isJudging = false;
  let held: string[] = [];
  let kept = 0;

  const release = () => {
    for (const line of held.splice(0)) write(line);
  };

  async function judge({ answers, log, over }: NonNullable<typeof watching>): Promise<void> {
    isJudging = true;
    const since = performance.now();
    for (let fault = await faultOf(answers); fault; fault = await faultOf(answers)) {
      if (!isDown && !over.signal.aborted)
        log.error({ cause: fault }, 'the database does not answer; further errors of it are left out');
      isDown = true;
      kept += held.splice(0).length;
      await delay(AGAIN_MS, undefined, { signal: over.signal, ref: false }).catch(() => {});
      if (over.signal.aborted) return;
    }
    const seconds = Math.round((performance.now() - since) / 1000);
    if (isDown) log.warn({ seconds, leftOut: kept }, 'the database answers again');
    else release();
    isDown = false;
    isJudging = false;
    kept = 0;
  }

  return {
    /** Whether a line of the log is kept back. */
    holds(line: string): boolean {
      if (!watching || held.length >= MOST_HELD || !isOfDatabase(line)) return false;
      if (isDown) kept += 1;
      else held.push(line);
      if (!isJudging) void judge(watching);
      return true;
    },
    /** @param answers rejects while the database does not answer */
    watch(answers: () => Promise<unknown>, log: Logger): { stop(): void } {
      const over = new AbortController();
      watching = { answers, log, over };
      return {
        stop() {
          watching = undefined;
          over.abort();
          release();
          held = [];
        },
      };
    },
  };
}

/** Why the database does not answer; undefined if it does. */
async function faultOf(answers: () => Promise<unknown>): Promise<string | undefined> {
  const late = new AbortController();
  try {
    await Promise.race([
      answers(),
      delay(ANSWER_MS, undefined, { signal: late.signal, ref: false }).then(() => {
        throw new Error('no answer');
      }),
    ]);
    return undefined;
  } catch (error) {
    return (error as Error).message || 'no answer';
  } finally {
    late.abort();
  }
}

/** Whether a line has an error that says that the database is gone. */
function isOfDatabase(line: string): boolean {
  if (!line.includes('"err":')) return false;
  try {
    return isDatabaseGone((JSON.parse(line) as { err?: unknown }).err ?? {});
  } catch {
    return false;
  }
}
