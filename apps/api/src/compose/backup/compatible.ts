import type { BackupHeader } from '../../adapters/backup/header.ts';
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

/** @throws OperatorFault when this version cannot use the database of a backup */
export async function requireCompatible(
  file: string,
  { migrations, queue, version }: BackupHeader,
): Promise<void> {
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
