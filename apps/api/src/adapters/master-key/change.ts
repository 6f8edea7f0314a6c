import type { Moved } from '../../crypto/re-encrypt.ts';
import { createVault, type ReEncrypt } from '../../crypto/vault.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';
import { announceMasterKey } from '../postgres-bus.ts';
import { newMasterKey, readMasterKeys, writeMasterKeys } from './file.ts';
import { createRing, fingerprintOf, heldKey, ROOT } from './ring.ts';

type Keys = { path: string; keys: Buffer[] /** Which of them is the database's. */; at: number };

/** What is in the file, of which the newest stands last. @throws OperatorFault when the database's key is not among them */
async function keysOf(db: Db, path: string): Promise<Keys> {
  const [held, keys = []] = [await heldKey(db), await readMasterKeys(path)];
  const at = keys.findIndex(key => held && fingerprintOf(key).equals(held.fingerprint));
  if (at < 0)
    throw new OperatorFault(
      `This database's master key is not in ${path} (MASTER_KEY_FILE), or nothing was ever sealed with one: ` +
        'there is nothing to change.',
    );
  return { path, keys, at };
}

/**
 * Puts the next key into the file, where it waits: every node has to have it before the first secret is sealed with it.
 * @returns whether it was there already
 */
export async function prepareMasterKey(db: Db, path: string): Promise<boolean> {
  const { keys, at } = await keysOf(db, path);
  if (at > 0) throw new OperatorFault('A change is under way: npm run shop -- master-key change ends it.');
  if (keys.length > 1) return true;
  await writeMasterKeys(path, [...keys, newMasterKey()]);
  return false;
}

export type ChangeDeps = {
  db: Db;
  path: string;
  /** Goes through all that is sealed. */
  moveAll(reEncrypt: ReEncrypt): Promise<Moved>;
  today: string;
  say(line: string): void;
  /** Waits until what nodes were sealing as the key changed is written. */
  settle(): Promise<void>;
};

/**
 * Seals everything again under another master key while the shop goes on (S80). Each step leaves a state from which the next
 * run goes on: the file has both keys until no secret needs the earlier one, and the database says which is present.
 * @returns where the earlier key is kept
 */
export async function changeMasterKey(deps: ChangeDeps): Promise<{ earlier: string }> {
  const { db, path, say } = deps;
  const { keys, at } = await keysOf(db, path);
  if (at === 0) {
    await prepareMasterKey(db, path);
    await turnTo(db, (await keysOf(db, path)).keys);
    say('The shop seals with the new key from now on. What the earlier one has sealed moves to it.');
  } else say('A change that was interrupted goes on.');
  await move(deps);
  return putAway(deps, at === 0 ? keys.slice(0, 1) : keys.slice(0, at));
}

/** The database says which key is present. The root of the hashes goes with it: no start is without it. */
async function turnTo(db: Db, [earlier, next]: Buffer[]): Promise<void> {
  await db.transaction().execute(async tx => {
    const held = await tx.selectFrom('master_key').selectAll().forUpdate().executeTakeFirstOrThrow();
    // Another run of this command was faster.
    if (!held.fingerprint.equals(fingerprintOf(earlier!))) return;
    const vault = createVault({ present: () => next!, others: () => [earlier!], lookAgain() {} });
    await tx
      .updateTable('master_key')
      .set({ fingerprint: fingerprintOf(next!), root_sealed: vault.reEncrypt(held.root_sealed, ROOT)! })
      .execute();
    await announceMasterKey(tx);
  });
}

/** Until a look that comes after the last node has changed over finds nothing to move. */
async function move({ db, path, moveAll, say, settle }: ChangeDeps): Promise<void> {
  const { keys, at } = await keysOf(db, path);
  const { reEncrypt } = createVault(createRing(path, keys, fingerprintOf(keys[at]!)));
  for (let looks = 1; ; looks += 1) {
    const { moved, lost } = await moveAll(reEncrypt);
    say(`Moved: ${moved}.`);
    if (lost > 0)
      throw new OperatorFault(
        `${lost} secrets open with neither key, and are left as they are. Both keys stay in ${path}; nothing else is open.`,
      );
    if (moved === 0 && looks > 1) return;
    await settle();
  }
}

/** What was backed up before opens with the earlier key alone: it leaves the shop, and is not destroyed. */
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
