import { randomBytes } from 'node:crypto';
import { deriveKey } from '../../crypto/secrets.ts';
import { createVault, type Keyring, oneKey, type Vault } from '../../crypto/vault.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';
import { keysByNow, makeMasterKey, readMasterKeys } from './file.ts';

/** What the master key opens. */
export type MasterKey = {
  vault: Vault;
  /** What the keys of all hashes are made of. It stays when the master key changes: passwords are hashed with it. */
  root: Buffer;
  /** The key was changed, or may have been. @throws OperatorFault when its file does not have the new one */
  refresh(): Promise<void>;
};

type Held = { fingerprint: Buffer; root_sealed: Buffer };

/** Which key it is; tells nothing of it. */
export const fingerprintOf = (key: Buffer): Buffer => deriveKey(key, 'fingerprint');
/** What the root is sealed for. */
export const ROOT = 'root';

export const heldKey = (db: Db): Promise<Held | undefined> =>
  db.selectFrom('master_key').select(['fingerprint', 'root_sealed']).executeTakeFirst();

/**
 * The master key of this database: everything that is sealed in it opens with that key alone. Made at the first start, and
 * never again by itself: a new key beside an old database would lock every customer out of what he has.
 * @param path MASTER_KEY_FILE
 * @throws OperatorFault when the key is lost, damaged or another database's
 */
export async function openMasterKey(db: Db, path: string): Promise<MasterKey> {
  const known = await heldKey(db);
  const found = await readMasterKeys(path);
  if (!found && known)
    throw new OperatorFault(
      `The master key is missing: ${path} is not there, and this database was made with one. ` +
        'Put it back from your backup, or set MASTER_KEY_FILE to where it is. Without it nothing sealed can be opened again.',
    );
  const keys = found ?? [await makeMasterKey(path)];
  const held = known ?? (await remember(db, keys.at(-1)!));
  const ring = createRing(path, keys, held.fingerprint);
  if (!ring.hasPresent())
    throw new OperatorFault(
      `The master key in ${path} is not this database's. Put back the key that belongs to it (MASTER_KEY_FILE), ` +
        'or use the database that belongs to the key (DATABASE_URL, or DATA_DIR).',
    );
  const vault = createVault(ring);
  return {
    vault,
    root: Buffer.from(vault.open(held.root_sealed, ROOT), 'base64'),
    async refresh() {
      ring.become((await heldKey(db))!.fingerprint);
      ring.present();
    },
  };
}

/** The first key is the database's, whichever node had it. @returns what the database knows by now */
async function remember(db: Db, key: Buffer): Promise<Held> {
  const root = randomBytes(32).toString('base64');
  const { seal } = createVault(oneKey(key));
  await db
    .insertInto('master_key')
    .values({ fingerprint: fingerprintOf(key), root_sealed: seal(root, ROOT) })
    .onConflict(on => on.doNothing())
    .execute();
  return (await heldKey(db))!;
}

/** The keys of a file, of which the database says which one is present; read again when one is missing. */
export function createRing(path: string, given: readonly Buffer[], fingerprint: Buffer) {
  let keys = given;
  let wanted = fingerprint;
  // Looked for whenever something is sealed or opened.
  let found: Buffer | undefined;
  const find = () => {
    found ??= keys.find(key => fingerprintOf(key).equals(wanted));
    return found;
  };
  const lookAgain = () => {
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
        lookAgain();
        key = find();
      }
      if (!key)
        throw new OperatorFault(
          `The master key was changed, and ${path} is still the one before: copy it from where it was changed.`,
        );
      return key;
    },
    others: () => keys.filter(key => !fingerprintOf(key).equals(wanted)),
    lookAgain,
  } satisfies Keyring & Record<string, unknown>;
}
