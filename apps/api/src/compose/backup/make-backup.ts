import { join } from 'node:path';
import { writeBackup } from '../../adapters/backup/encrypt.ts';
import { backupName } from '../../adapters/backup/folder.ts';
import { type BackupHeader, LAYOUT } from '../../adapters/backup/header.ts';
import { closestProgram, findPrograms, requireAge } from '../../adapters/backup/programs.ts';
import { readMasterKeys } from '../../adapters/master-key/file.ts';
import { hasKey } from '../../adapters/master-key/ring.ts';
import { VERSION } from '../../database/nodes.ts';
import { type Snapshot, takeSnapshot } from '../../database/snapshot.ts';
import type { CommandEnv } from '../../env/env.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';

export type BackupRequest = {
  env: Pick<CommandEnv, 'DATABASE_URL' | 'MASTER_KEY_FILE' | 'BACKUP_RECIPIENTS'>;
  folder: string;
  hasMasterKey: boolean;
  at: Date;
  /** The same moment by the shop clock. */
  shopAt: Date;
  signal?: AbortSignal;
};

/**
 * Writes an encrypted backup of database and master key, as of one moment, while the shop runs.
 * @throws OperatorFault in words when a program, a right, room or a setting is missing
 */
export async function makeBackup(request: BackupRequest) {
  const { env, folder, hasMasterKey, at, shopAt, signal } = request;
  if (env.BACKUP_RECIPIENTS.length === 0)
    throw new OperatorFault(
      'BACKUP_RECIPIENTS is not set: backups are encrypted to public keys. Make a pair on another machine with age-keygen (docs/operate/backup.md).',
    );
  await requireAge();
  const snapshot = await takeSnapshot(env.DATABASE_URL);
  try {
    const what = 'the database';
    const pgDump = closestProgram('pg_dump', await findPrograms('pg_dump'), snapshot.postgres, what);
    const masterKey = await masterKeyOf(snapshot, env.MASTER_KEY_FILE);
    const { name: snapshotName, end, ...facts } = snapshot;
    const header: BackupHeader = {
      format: 'fixpoint-backup',
      layout: LAYOUT,
      version: VERSION,
      at: at.toISOString(),
      shopAt: shopAt.toISOString(),
      pgDump: pgDump.major,
      ...facts,
      masterKey: hasMasterKey ? masterKey : null,
    };
    const name = backupName(at);
    const { BACKUP_RECIPIENTS: recipients, DATABASE_URL: url } = env;
    const dump = { header, url, snapshot: snapshotName, pgDump, recipients, signal };
    const bytes = await writeBackup(folder, name, dump);
    return {
      file: join(folder, name),
      name,
      bytes,
      hasMasterKey: header.masterKey !== null,
      counts: facts.counts,
    };
  } finally {
    await snapshot.end();
  }
}

/** Content of the file with the master key. @throws OperatorFault when the database's key is not in it */
async function masterKeyOf({ keyFingerprint }: Snapshot, path: string): Promise<string | null> {
  const keys = (await readMasterKeys(path)) ?? [];
  if (keyFingerprint !== null && !hasKey(keys, keyFingerprint))
    throw new OperatorFault(
      `The master key of the database is not in ${path} (MASTER_KEY_FILE), or is being changed at this moment. ` +
        'No backup was made: it would be worthless without this key.',
    );
  return keys.length > 0 ? keys.map(key => `${key.toString('base64')}\n`).join('') : null;
}
