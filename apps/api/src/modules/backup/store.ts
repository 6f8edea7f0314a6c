import type { Db } from '../../ports/database.ts';

/** Records a complete backup in the backup folder. */
export async function recordBackup(
  db: Db,
  { file, at, bytes }: { file: string; at: Date; bytes: number },
): Promise<void> {
  await db.insertInto('backup').values({ file, made_at: at, bytes, copied_at: null }).execute();
}

/** Records that every backup in the folder is on another machine too. */
export async function markCopied(db: Db, now: Date): Promise<void> {
  await db.updateTable('backup').set({ copied_at: now }).where('copied_at', 'is', null).execute();
}

/** Forgets backups whose files are deleted. */
export async function forgetBackups(db: Db, files: readonly string[]): Promise<void> {
  if (files.length > 0) await db.deleteFrom('backup').where('file', 'in', files).execute();
}

/** All backups, newest first. */
export const backups = (db: Db) => db.selectFrom('backup').selectAll().orderBy('made_at', 'desc').execute();

/** The newest backup, and the newest that was copied. */
export async function newestBackup(db: Db): Promise<{ made: Date | undefined; copied: Date | undefined }> {
  const newest = await db
    .selectFrom('backup')
    .select(({ fn }) => [
      fn.max('made_at').as('made'),
      fn.max('made_at').filterWhere('copied_at', 'is not', null).as('copied'),
    ])
    .executeTakeFirstOrThrow();
  return { made: newest.made ?? undefined, copied: newest.copied ?? undefined };
}
