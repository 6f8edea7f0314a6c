import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '../crypto/secrets.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** File in DATA_DIR that names the database of its shop. */
const FILE = 'database.id';

/**
 * Ties DATA_DIR to the database of its shop. Nodes of one shop may share it. A second shop would share its master key too,
 * and a change of the key by one would leave the other without.
 * @param root the root key of the database, which a change of the master key and a restore keep
 * @returns false when the folder cannot be written, so that nothing is known about it
 * @throws OperatorFault when the folder belongs to the shop of another database
 */
export async function claimDataDir(dataDir: string, root: Buffer): Promise<boolean> {
  const path = join(dataDir, FILE);
  const id = deriveKey(root, 'data folder').toString('hex').slice(0, 32);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(path, `${id}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EROFS') return false;
    if (code !== 'EEXIST') throw error;
  }
  const known = (await readFile(path, 'utf8')).trim();
  // A start that was interrupted has left it empty.
  if (known === '') await writeFile(path, `${id}\n`);
  else if (known !== id)
    throw new OperatorFault(
      `${dataDir} belongs to the shop of another database. Give each shop a DATA_DIR of its own: they would share the master key, ` +
        `and a change of it by one shop would lock out the other. If this database replaces the earlier one for good, remove ${path}.`,
    );
  return true;
}
