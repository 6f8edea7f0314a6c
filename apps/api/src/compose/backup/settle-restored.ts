import type { SinceBackup } from '../../adapters/backup/folder.ts';
import type { BackupHeader } from '../../adapters/backup/header.ts';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { repeatDeletion } from '../../modules/account/index.ts';
import { recordChange } from '../../modules/audit/index.ts';
import { recordRestore } from '../../modules/backup/index.ts';
import { nextNumbers, skipNumbers } from '../../modules/billing/index.ts';
import { endOrders } from '../../modules/checkout/index.ts';
import { setMaintenance } from '../../modules/text/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { endingWork } from '../ending-work.ts';
import { personal } from '../personal.ts';

/**
 * The list beside the backups may be older than the last sale, by the minute of its task and the five of its copy: so many
 * numbers more are skipped. A gap in a series can be explained, two invoices with one number cannot.
 */
const MARGIN = 100;

/** Series of earlier years are over, and continue without a gap. */
async function continueNumbers(db: Db, numbers: SinceBackup['numbers']): Promise<void> {
  const yearOf = (series: string) => Number(series.slice(-4));
  const year = Math.max(...Object.keys(numbers).map(yearOf));
  for (const [series, last] of Object.entries(numbers))
    await skipNumbers(db, series, last + (yearOf(series) === year ? MARGIN : 0));
}

/** Repeats on a restored database what is known to have happened since, and keeps the shop from starting. */
export async function settleRestored(
  { db, jobs, clock, actor }: { db: Db; jobs: Jobs; clock: Clock; actor: string },
  header: BackupHeader,
  since: SinceBackup | undefined,
) {
  const restoredAt = systemClock.now();
  await recordRestore(db, { restoredAt, backupAt: new Date(header.at) });
  await setMaintenance(db, liveBus, true);
  await continueNumbers(db, since?.numbers ?? {});
  const written = { clock, jobs, live: liveBus };
  const deps = { db, ...written, ...endingWork(written), systemClock, personal };
  const deletedAgain: string[] = [];
  for (const id of since?.deletedAccounts ?? [])
    if (await repeatDeletion({ ...deps, endOrders: (tx, of) => endOrders({ clock }, tx, of) }, id))
      deletedAgain.push(id);
  const numbers = await nextNumbers(db);
  const after = { backup: header.at, deletedAgain: deletedAgain.length };
  const entry = {
    at: restoredAt,
    actor,
    operation: 'restore backup',
    phase: 'done' as const,
    subject: 'shop',
    after,
  };
  await db.transaction().execute(tx => recordChange(tx, entry));
  return { numbers, deletedAgain };
}
