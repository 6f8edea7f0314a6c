import type { Logger } from 'pino';
import { mend, raise } from '../modules/attention/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Duty } from '../ports/jobs.ts';

/**
 * Duties that say when they fail: each in a row of `attention` until it succeeds again. The failure of one is nothing to
 * the others.
 */
export const watched = (
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  duties: readonly Duty[],
): Duty[] =>
  duties.map(({ name, run, ...when }) => ({
    name,
    ...when,
    async run() {
      try {
        await run();
        await mend(db, 'duty.failing', name);
      } catch (error) {
        log.error({ err: error, duty: name }, 'duty failed');
        await raise(db, clock.now(), { kind: 'duty.failing', subject: name });
      }
    },
  }));
