import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { restoreArchive } from '../../adapters/backup/decrypt.ts';
import { readSince, SINCE_FILE, type SinceBackup } from '../../adapters/backup/folder.ts';
import type { BackupHeader } from '../../adapters/backup/header.ts';
import { keysIn, readMasterKeys, removeMasterKeys, writeMasterKeys } from '../../adapters/master-key/file.ts';
import { hasKey } from '../../adapters/master-key/ring.ts';
import { checkRole, connected } from '../../database/check.ts';
import { dropAll, grantConnections, objectsIn } from '../../database/empty.ts';
import type { CommandEnv } from '../../env/env.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { migrateRestored, pgRestoreFor, requireRestorable } from './compatible.ts';

export type Restorable = {
  env: Pick<CommandEnv, 'DATABASE_URL' | 'DATABASE_APP_URL' | 'MASTER_KEY_FILE'>;
  backup: { file: string; identity: string };
  withoutList: boolean;
  say(line: string): void;
};

/**
 * Restores database and master key into an empty machine, and runs `settle` on the result. When anything fails, the machine
 * is as empty as before.
 * @throws OperatorFault before any change for a wrong key, a damaged file, a backup of a newer version, or a machine that is
 *   not empty
 */
export async function restoreBackup<T>(
  { env, backup, withoutList, say }: Restorable,
  settle: (header: BackupHeader, since: SinceBackup | undefined) => Promise<T>,
): Promise<{ header: BackupHeader; since: SinceBackup | undefined; migrated: string[]; settled: T }> {
  const since = await listBeside(backup.file, withoutList);
  const header = await requireRestorable(backup, say);
  await requireEmpty(env, header);
  const pgRestore = await pgRestoreFor(header);
  const wroteKey = await placeMasterKey(env.MASTER_KEY_FILE, header);
  try {
    await restoreArchive(backup, pgRestore, env.DATABASE_URL);
    await grantConnections(env.DATABASE_URL);
    const migrated = await migrateRestored(env.DATABASE_URL, header);
    say('Restored the database.');
    return { header, since, migrated, settled: await settle(header, since) };
  } catch (error) {
    await dropAll(env.DATABASE_URL);
    if (wroteKey) await removeMasterKeys(env.MASTER_KEY_FILE);
    throw error;
  }
}

async function listBeside(file: string, withoutList: boolean): Promise<SinceBackup | undefined> {
  await access(file).catch(() => {
    throw new OperatorFault(`${file} does not exist, or this user may not read it.`);
  });
  const folder = dirname(file);
  const since = await readSince(folder);
  if (!since && !withoutList)
    throw new OperatorFault(
      `${SINCE_FILE} is not beside ${file}. It names accounts that were deleted after the backup, and the last numbers of ` +
        'invoices. Put it there. If it is lost, restore with --without-list: deleted accounts come back.',
    );
  return since;
}

/** @throws OperatorFault when the database has anything, or cannot take the backup */
async function requireEmpty(env: Restorable['env'], header: BackupHeader): Promise<void> {
  await checkRole(env.DATABASE_URL, 'fixpoint_owner', 'DATABASE_URL');
  await checkRole(env.DATABASE_APP_URL, 'fixpoint_app', 'DATABASE_APP_URL');
  const client = await connected(env.DATABASE_URL, 'DATABASE_URL');
  try {
    const objects = await objectsIn(client);
    if (objects > 0)
      throw new OperatorFault(
        `The database already has ${objects} tables and other objects. A backup is restored into an empty database only. ` +
          'Rename this one and create a new one:\nnpm run shop -- database prepare ADMIN_URL',
      );
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    const major = Number.parseInt(rows[0]!.version, 10);
    if (major < header.pgDump)
      throw new OperatorFault(
        `The backup is of PostgreSQL ${header.pgDump}, and this server is ${major}. Restore it on PostgreSQL ${header.pgDump} or newer.`,
      );
  } finally {
    await client.end();
  }
}

/**
 * Writes the master key of the backup, unless the file has it already.
 * @returns whether it was written
 * @throws OperatorFault when the file has another key, or the key is nowhere
 */
async function placeMasterKey(path: string, { masterKey, keyFingerprint }: BackupHeader): Promise<boolean> {
  const present = await readMasterKeys(path);
  if (present && hasKey(present, keyFingerprint)) return false;
  if (present)
    throw new OperatorFault(
      `${path} (MASTER_KEY_FILE) already has the master key of another shop. Use an empty DATA_DIR, or move that file away.`,
    );
  if (keyFingerprint === null) return false;
  if (masterKey === null)
    throw new OperatorFault(
      `The backup was made without the master key. Put the key to ${path} (MASTER_KEY_FILE) first: nothing can be decrypted without it.`,
    );
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeMasterKeys(path, keysIn(masterKey)!, dirname(path));
  return true;
}
