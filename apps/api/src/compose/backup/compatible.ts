import { checkBackup } from '../../adapters/backup/decrypt.ts';
import type { BackupHeader } from '../../adapters/backup/header.ts';
import { closestProgram, findPrograms, type Program, requireAge } from '../../adapters/backup/programs.ts';
import { connected } from '../../database/check.ts';
import { judgeBackup, migrate } from '../../database/migrate.ts';
import { appliedTo } from '../../database/migration-files.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';

/** Applies the migrations that a restored database lacks. @returns their names */
export async function migrateRestored(ownerUrl: string, { migrations }: BackupHeader): Promise<string[]> {
  await migrate(ownerUrl);
  const before = new Set(migrations.map(({ name }) => name));
  const client = await connected(ownerUrl, 'DATABASE_URL');
  const applied = await appliedTo(client).finally(() => client.end());
  return applied.map(({ name }) => name).filter(name => !before.has(name));
}

/**
 * Checks a backup before anything is restored from it.
 * @throws OperatorFault for a wrong key, a damaged file, or a database that this version cannot use
 */
export async function requireRestorable(
  { file, identity }: { file: string; identity: string },
  say: (line: string) => void,
): Promise<BackupHeader> {
  await requireAge();
  const header = await checkBackup(file, identity);
  await requireCompatible(file, header);
  say(`Decrypted: a backup of Fixpoint ${header.version} at ${header.at}.`);
  return header;
}

/** The installed pg_restore that fits a backup. @throws OperatorFault that names the package to install */
export const pgRestoreFor = async ({ pgDump }: BackupHeader): Promise<Program> =>
  closestProgram('pg_restore', await findPrograms('pg_restore'), pgDump, 'the backup');

/** @throws OperatorFault when this version cannot use the database of a backup */
async function requireCompatible(file: string, { migrations, queue, version }: BackupHeader): Promise<void> {
  const { foreign, early } = await judgeBackup(migrations, queue);
  if (foreign.length > 0)
    throw new OperatorFault(
      `${file} was made by Fixpoint ${version}, whose database this version does not understand (${foreign.join(', ')}). ` +
        'Install that version or a newer one, then run the command again. Nothing was changed.',
    );
  if (early.length > 0)
    throw new OperatorFault(
      `${file} was made by Fixpoint ${version}, which is too old for this version (${early.join(', ')}). ` +
        'Restore it with that version, then upgrade. Nothing was changed.',
    );
}
