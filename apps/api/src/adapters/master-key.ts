import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorFault } from '../operator-fault.ts';
import type { Db } from '../ports/database.ts';
import { deriveKey } from '../secrets.ts';

const BYTES = 32;

/**
 * The master key of this database: everything that is sealed in it opens with that key alone. Made at the first start, and
 * never again: a new key beside an old database would lock every customer out of what he has (FO10).
 * @param path MASTER_KEY_FILE
 * @throws OperatorFault when the key is lost, damaged or another database's
 */
export async function openMasterKey(db: Db, path: string): Promise<Buffer> {
  const known = await db.selectFrom('master_key').select('fingerprint').executeTakeFirst();
  const found = await readMasterKey(path);
  if (!found && known)
    throw new OperatorFault(
      `The master key is missing: ${path} is not there, and this database was made with one. ` +
        'Put it back from your backup, or set MASTER_KEY_FILE to where it is. Without it nothing sealed can be opened again.',
    );
  const key = found ?? (await makeMasterKey(path));
  const fingerprint = deriveKey(key, 'fingerprint');
  const held = known ?? (await remember(db, fingerprint));
  if (!held.fingerprint.equals(fingerprint))
    throw new OperatorFault(
      `The master key in ${path} is not this database's. Put back the key that belongs to it (MASTER_KEY_FILE), ` +
        'or use the database that belongs to the key (DATABASE_URL, or DATA_DIR).',
    );
  return key;
}

/** The first key is the database's, whichever node had it. @returns what the database knows by now */
async function remember(db: Db, fingerprint: Buffer): Promise<{ fingerprint: Buffer }> {
  await db
    .insertInto('master_key')
    .values({ fingerprint })
    .onConflict(on => on.doNothing())
    .execute();
  return db.selectFrom('master_key').select('fingerprint').executeTakeFirstOrThrow();
}

/** The key in a file; undefined when there is none. @throws OperatorFault for a file that holds no key */
export async function readMasterKey(path: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64');
    if (key.length === BYTES) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OperatorFault(`The master key cannot be read (MASTER_KEY_FILE): ${(error as Error).message}`);
  }
  throw new OperatorFault(
    `${path} holds no master key, which is ${BYTES} bytes in base64: put it back from your backup (MASTER_KEY_FILE).`,
  );
}

/** Readable by its owner only. Of two nodes that start at once one wins, and both use its key. */
async function makeMasterKey(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true });
  // Written whole under another name, then linked: nobody ever reads half a key.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readMasterKey(path))!;
}
