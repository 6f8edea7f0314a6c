import type { Logger } from 'pino';
import { mend, raise } from '../modules/attention/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Duty } from '../ports/jobs.ts';

/**
 * Duties that say when they fail: each in a row of `attention` until it succeeds again. The failure of one is nothing to
 * the others.
 */
export function watched(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  duties: readonly Duty[],
): { duties: Duty[]; lookAfterAll(): Promise<void> } {
  async function succeeds({ name, run }: Duty): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      log.error({ err: error, duty: name }, 'duty failed');
      await raise(db, clock.now(), { kind: 'duty.failing', subject: name });
      return false;
    }
  }
  return {
    duties: duties.map(duty => ({
      ...duty,
      async run() {
        if (await succeeds(duty)) await mend(db, 'duty.failing', duty.name);
      },
    })),
    /** One after the other: a quarter of their statements were to mend what is whole. */
    async lookAfterAll() {
      const fine: string[] = [];
      for (const duty of duties) if (await succeeds(duty)) fine.push(duty.name);
      await mend(db, 'duty.failing', ...fine);
    },
  };
}
