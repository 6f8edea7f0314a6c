import type { ReEncrypted } from '../../crypto/re-encrypt.ts';
import { createVault, type ReEncrypt } from '../../crypto/vault.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';
import { announceMasterKey } from '../postgres-bus.ts';
import { newMasterKey, readMasterKeys, writeMasterKeys } from './file.ts';
import { createRing, fingerprintOf, ROOT, storedKey } from './ring.ts';

type Keys = { path: string; keys: Buffer[] /** Index of the database's current key. */; at: number };

/**
 * Reads the keys of the file, the newest last. @throws OperatorFault if the database's key is not
 * among them
 */
async function keysOf(db: Db, path: string): Promise<Keys> {
  const [stored, keys = []] = [await storedKey(db), await readMasterKeys(path)];
  const at = keys.findIndex(key => stored && fingerprintOf(key).equals(stored.fingerprint));
  if (at < 0)
    throw new OperatorFault(
      `The master key of this database is not in ${path} (MASTER_KEY_FILE), or nothing was encrypted yet. ` +
        'There is nothing to change.',
    );
  return { path, keys, at };
}

/**
 * Adds the next key to the file. Every node needs it before the first secret is encrypted with it.
 * @returns whether it was there already
 */
export async function prepareMasterKey(db: Db, path: string): Promise<boolean> {
  const { keys, at } = await keysOf(db, path);
  if (at > 0)
    throw new OperatorFault('A change is in progress. Finish it:\nnpm run shop -- master-key change');
  if (keys.length > 1) return true;
  await writeMasterKeys(path, [...keys, newMasterKey()]);
  return false;
}

export type ChangeDeps = {
  db: Db;
  path: string;
  /** Re-encrypts all secrets. */
  moveAll(reEncrypt: ReEncrypt): Promise<ReEncrypted>;
  today: string;
  say(line: string): void;
  /** Waits until nodes have written what they were encrypting when the key changed. */
  settle(): Promise<void>;
};

/**
 * Re-encrypts all secrets under another master key while the shop runs (S80). It can be interrupted
 * at any step and run again: the file has both keys until no secret needs the previous one, and the
 * database names the current one.
 * @returns path of the file with the previous key
 */
export async function changeMasterKey(deps: ChangeDeps): Promise<{ earlier: string }> {
  const { db, path, say } = deps;
  const { keys, at } = await keysOf(db, path);
  if (at === 0) {
    await prepareMasterKey(db, path);
    await turnTo(db, (await keysOf(db, path)).keys);
    say('The shop now encrypts with the new key. Existing secrets are being re-encrypted.');
  } else say('Continuing an interrupted change.');
  await move(deps);
  return putAway(deps, at === 0 ? keys.slice(0, 1) : keys.slice(0, at));
}

/** Makes the next key the current one in the database, together with the re-encrypted root key. */
async function turnTo(db: Db, [earlier, next]: Buffer[]): Promise<void> {
  await db.transaction().execute(async tx => {
    const stored = await tx.selectFrom('master_key').selectAll().forUpdate().executeTakeFirstOrThrow();
    // A concurrent run of this command was faster.
    if (!stored.fingerprint.equals(fingerprintOf(earlier!))) return;
    const vault = createVault({ present: () => next!, others: () => [earlier!], reload() {} });
    await tx
      .updateTable('master_key')
      .set({ fingerprint: fingerprintOf(next!), root_sealed: vault.reEncrypt(stored.root_sealed, ROOT)! })
      .execute();
    await announceMasterKey(tx);
  });
}

/** Repeats until a pass after the last node's change finds nothing to re-encrypt. */
async function move({ db, path, moveAll, say, settle }: ChangeDeps): Promise<void> {
  const { keys, at } = await keysOf(db, path);
  const { reEncrypt } = createVault(createRing(path, keys, fingerprintOf(keys[at]!)));
  for (let passes = 1; ; passes += 1) {
    const { moved, lost } = await moveAll(reEncrypt);
    say(`Re-encrypted: ${moved}.`);
    if (lost > 0)
      throw new OperatorFault(
        `${lost} secrets cannot be decrypted by either key and stay unchanged. Both keys stay in ${path}. Everything else is done.`,
      );
    if (moved === 0 && passes > 1) return;
    await settle();
  }
}

/**
 * Moves the previous key out of the shop without destroying it, because earlier backups need it.
 */
async function putAway(
  { db, path, today }: ChangeDeps,
  earlier: readonly Buffer[],
): Promise<{ earlier: string }> {
  const { keys, at } = await keysOf(db, path);
  const aside = `${path}.before-${today}`;
  const there = (await readMasterKeys(aside)) ?? [];
  const more = earlier.filter(key => !there.some(known => known.equals(key)));
  if (more.length > 0) await writeMasterKeys(aside, [...there, ...more], path);
  await writeMasterKeys(path, keys.slice(at));
  await announceMasterKey(db);
  return { earlier: aside };
}
