import { dirname } from 'node:path';
import { EMBEDDED } from '@fixpoint/postgres/postgres.ts';
import { startTemporary } from '@fixpoint/postgres/temporary.ts';
import { restoreArchive } from '../../adapters/backup/decrypt.ts';
import type { BackupHeader } from '../../adapters/backup/header.ts';
import { closestProgram, findPrograms } from '../../adapters/backup/programs.ts';
import { opensDatabase } from '../../adapters/master-key/ring.ts';
import { connected } from '../../database/check.ts';
import { openDatabase } from '../../database/database.ts';
import { countRows } from '../../database/snapshot.ts';
import { checkDatabase } from '../../modules/books/index.ts';
import { migrateRestored, pgRestoreFor, requireRestorable } from './compatible.ts';

/**
 * Proves that a backup can be restored: in a PostgreSQL of its own, which is removed again. The books are those of the moment
 * of the backup.
 */
export async function verifyBackup(backup: { file: string; identity: string }, say: (line: string) => void) {
  const header = await requireRestorable(backup, say);
  const pgRestore = await pgRestoreFor(header);
  const server = await startTemporary(await serverFor(header));
  try {
    await restoreArchive(backup, pgRestore, server.urls.owner);
    return { header, ...(await judge(header, server.urls.owner, server.adminUrl)) };
  } finally {
    await server.stop();
  }
}

/** The installed server that is closest to that of the backup; undefined for the embedded one. */
async function serverFor({ pgDump }: BackupHeader): Promise<{ folder: string; major: number } | undefined> {
  const found = await findPrograms('postgres');
  if (!found.some(({ major }) => major >= pgDump) && pgDump <= EMBEDDED) return undefined;
  const { path, major } = closestProgram('postgres', found, pgDump, 'the backup');
  return { folder: dirname(path), major };
}

async function judge(header: BackupHeader, ownerUrl: string, adminUrl: string) {
  const client = await connected(ownerUrl, 'the temporary database');
  const counts = await countRows(client).finally(() => client.end());
  const migrated = await migrateRestored(ownerUrl, header);
  const { db, close } = openDatabase(adminUrl);
  try {
    return {
      counts,
      lost: Object.fromEntries(
        Object.entries(header.counts).filter(([what, count]) => counts[what] !== count),
      ),
      migrated,
      masterKey: header.masterKey === null ? null : await opensDatabase(db, header.masterKey),
      differences: await checkDatabase(db, new Date(header.shopAt)),
    };
  } finally {
    await close();
  }
}
