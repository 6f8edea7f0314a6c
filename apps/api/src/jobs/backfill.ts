import { sql } from 'kysely';
import type { Db } from '../ports/database.ts';

/**
 * Moves the rows of a table from one shape to the next, after an `expand` file has made room for it. Until it is done the
 * code reads both shapes and writes the new one.
 */
export type Backfill = {
  /** Stays the same for ever, and is what a later file names: `-- contract after NAME`. */
  name: string;
  /**
   * Moves the next rows after `place`, which is empty at first: few enough for a second. Leaves rows of the new shape alone.
   * @returns the place where the next batch begins and the number of rows moved; undefined when none is left
   */
  move(tx: Db, place: string): Promise<{ place: string; moved: number } | undefined>;
};

export type BackfillDeps = {
  db: Db;
  /** Nodes of other versions that run. */
  otherNodes: (db: Db) => Promise<readonly string[]>;
  backfills: readonly Backfill[];
};

/** One run takes up to this long: less than a scheduled task may take (scheduled-tasks.ts). The next one continues. */
const RUN_MS = 20_000;

/**
 * Runs backfills in their order, each batch with its progress in one transaction: a batch that fails or is cut off is run
 * again from the same place. Two workers never run the same batch. While nodes of another version run, which may write the
 * old shape behind it, all start over and wait.
 */
export async function runBackfills({ db, otherNodes, backfills }: BackfillDeps): Promise<void> {
  if (backfills.length === 0) return;
  if ((await otherNodes(db)).length > 0) return restart(db, backfills);
  const end = performance.now() + RUN_MS;
  for (const backfill of backfills) {
    while (await moveBatch(db, backfill)) if (performance.now() > end) return;
  }
}

async function restart(db: Db, backfills: readonly Backfill[]): Promise<void> {
  const names = backfills.map(({ name }) => name);
  const progress = { place: '', moved: 0, done_at: null };
  await db.updateTable('backfill').set(progress).where('name', 'in', names).execute();
}

/** @returns whether rows may be left */
const moveBatch = (db: Db, { name, move }: Backfill): Promise<boolean> =>
  db.transaction().execute(async tx => {
    await tx
      .insertInto('backfill')
      .values({ name })
      .onConflict(on => on.doNothing())
      .execute();
    const own = tx.selectFrom('backfill').select(['place', 'done_at']).where('name', '=', name).forUpdate();
    const { place, done_at } = await own.executeTakeFirstOrThrow();
    if (done_at) return false;
    const batch = await move(tx, place);
    await tx
      .updateTable('backfill')
      .set(
        batch
          ? { place: batch.place, moved: sql<number>`moved + ${batch.moved}::bigint` }
          : { done_at: sql<Date>`now()` },
      )
      .where('name', '=', name)
      .execute();
    return batch !== undefined;
  });
