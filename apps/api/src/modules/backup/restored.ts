import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';

/** Records that this database was restored from a backup, and that staff has to settle what it does not know. */
export async function recordRestore(db: Db, restored: { restoredAt: Date; backupAt: Date }): Promise<void> {
  const { restoredAt, backupAt } = restored;
  await db.insertInto('shop_restore').values({ restored_at: restoredAt, backup_at: backupAt }).execute();
}

/** The restore that staff has not finished; undefined if there is none. */
export const openRestore = (db: Db) =>
  db
    .selectFrom('shop_restore')
    .select(['restored_at', 'backup_at'])
    .where('settled_at', 'is', null)
    .orderBy('restored_at', 'desc')
    .executeTakeFirst();

/** Lets the shop start. */
export async function finishRestore(db: Db, now: Date): Promise<void> {
  await db.updateTable('shop_restore').set({ settled_at: now }).where('settled_at', 'is', null).execute();
}

/**
 * A restored shop does not know what happened after its backup: it would charge renewals twice and give numbers that
 * others have.
 * @throws OperatorFault while staff has not finished the restore
 */
export async function requireSettled(db: Db): Promise<void> {
  const restored = await openRestore(db);
  if (!restored) return;
  throw new OperatorFault(
    `This database was restored from a backup of ${restored.backup_at.toISOString()}. The shop does not start before you have ` +
      'settled the numbers and the money since then. Follow docs/operate/restoring.md. Then run:\nnpm run shop -- restore finish',
  );
}
