import { randomBytes } from 'node:crypto';
import { deriveKey } from '../../crypto/secrets.ts';
import { createVault, type Keyring, singleKeyring, type Vault } from '../../crypto/vault.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';
import { keysByNow, keysIn, makeMasterKey, readMasterKeys } from './file.ts';

/** The opened master key. */
export type MasterKey = {
  vault: Vault;
  /**
   * Root of all derived keys. It stays when the master key changes, because passwords are hashed
   * with it.
   */
  root: Buffer;
  /**
   * Call it when the key was or may have been changed. @throws OperatorFault if its file lacks the
   * new one
   */
  refresh(): Promise<void>;
};

type StoredKey = { fingerprint: Buffer; root_sealed: Buffer };

/** Identifies a key without revealing it. */
export const fingerprintOf = (key: Buffer): Buffer => deriveKey(key, 'fingerprint');
/** Whether keys contain the one of a fingerprint in base64. */
export const hasKey = (keys: readonly Buffer[], fingerprint: string | null): boolean =>
  keys.some(key => fingerprintOf(key).toString('base64') === fingerprint);
/** Encryption context of the root key. */
export const ROOT = 'root';

export const storedKey = (db: Db): Promise<StoredKey | undefined> =>
  db.selectFrom('master_key').select(['fingerprint', 'root_sealed']).executeTakeFirst();

/**
 * Opens the master key of this database. It is created at the first start only: a new key beside an
 * existing database would make all of its secrets unreadable.
 * @param path MASTER_KEY_FILE
 * @throws OperatorFault if the key is lost, damaged or belongs to another database
 */
export async function openMasterKey(db: Db, path: string): Promise<MasterKey> {
  const known = await storedKey(db);
  const found = await readMasterKeys(path);
  if (!found && known)
    throw new OperatorFault(
      `The master key is missing: ${path} does not exist, but this database was created with one. ` +
        'Restore it from your backup, or set MASTER_KEY_FILE to its path. Without it no secret can be decrypted again.',
    );
  const keys = found ?? [await makeMasterKey(path)];
  const stored = known ?? (await remember(db, keys.at(-1)!));
  const ring = createRing(path, keys, stored.fingerprint);
  if (!ring.hasPresent())
    throw new OperatorFault(
      `The master key in ${path} belongs to another database. Restore the right key (MASTER_KEY_FILE), ` +
        'or use the database that belongs to the key (DATABASE_URL, or DATA_DIR).',
    );
  const vault = createVault(ring);
  return {
    vault,
    root: Buffer.from(vault.open(stored.root_sealed, ROOT), 'base64'),
    async refresh() {
      ring.become((await storedKey(db))!.fingerprint);
      ring.present();
    },
  };
}

/** Whether the content of a file with master keys decrypts the root key of a database. */
export async function opensDatabase(db: Db, text: string): Promise<boolean> {
  const [stored, keys] = [await storedKey(db), keysIn(text)];
  const key = keys?.find(each => stored && fingerprintOf(each).equals(stored.fingerprint));
  if (!stored || !key) return false;
  try {
    createVault(singleKeyring(key)).open(stored.root_sealed, ROOT);
    return true;
  } catch {
    return false;
  }
}

/** Registers the first key in the database; one node wins. @returns the registered one */
async function remember(db: Db, key: Buffer): Promise<StoredKey> {
  const root = randomBytes(32).toString('base64');
  const { seal } = createVault(singleKeyring(key));
  await db
    .insertInto('master_key')
    .values({ fingerprint: fingerprintOf(key), root_sealed: seal(root, ROOT) })
    .onConflict(on => on.doNothing())
    .execute();
  return (await storedKey(db))!;
}

/**
 * The keys of a file, one of which the database names as current. Reads the file again if that one
 * is missing.
 */
export function createRing(path: string, given: readonly Buffer[], fingerprint: Buffer) {
  let keys = given;
  let wanted = fingerprint;
  // Cached, because every encryption needs it.
  let found: Buffer | undefined;
  const find = () => {
    found ??= keys.find(key => fingerprintOf(key).equals(wanted));
    return found;
  };
  const reload = () => {
    const byNow = keysByNow(path);
    if (byNow.length === 0) return;
    keys = byNow;
    found = undefined;
  };
  return {
    hasPresent: () => find() !== undefined,
    become(other: Buffer) {
      wanted = other;
      found = undefined;
    },
    present() {
      let key = find();
      if (!key) {
        reload();
        key = find();
      }
      if (!key)
        throw new OperatorFault(
          `The master key was changed, but ${path} still contains the previous one. Copy the file from where it was changed.`,
        );
      return key;
    },
    others: () => keys.filter(key => !fingerprintOf(key).equals(wanted)),
    reload,
  } satisfies Keyring & Record<string, unknown>;
}
