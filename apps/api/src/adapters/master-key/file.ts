import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorFault } from '../../kernel/operator-fault.ts';

const BYTES = 32;

/** One key in base64 per line, the newest last. There are two during a change. */
export function keysIn(text: string): Buffer[] | undefined {
  const keys = text
    .split(/\s+/)
    .filter(Boolean)
    .map(line => Buffer.from(line, 'base64'));
  return keys.length > 0 && keys.every(key => key.length === BYTES) ? keys : undefined;
}

/**
 * Reads the keys of a file; undefined if it does not exist. @throws OperatorFault for a file
 * without a valid key
 */
export async function readMasterKeys(path: string): Promise<Buffer[] | undefined> {
  try {
    const keys = keysIn(await readFile(path, 'utf8'));
    if (keys) return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OperatorFault(`The master key cannot be read (MASTER_KEY_FILE): ${(error as Error).message}`);
  }
  throw new OperatorFault(
    `${path} contains no master key (${BYTES} bytes in base64). Restore it from your backup (MASTER_KEY_FILE).`,
  );
}

/**
 * Reads the file again, synchronously, for a key that may have been added; empty if it cannot be
 * read.
 */
export function keysByNow(path: string): Buffer[] {
  try {
    return keysIn(readFileSync(path, 'utf8')) ?? [];
  } catch {
    return [];
  }
}

export const newMasterKey = (): Buffer => randomBytes(BYTES);

/**
 * Writes under another name first, so that nobody reads an incomplete key. Readable by its owner
 * only.
 */
async function draftOf(path: string, keys: readonly Buffer[]): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const text = keys.map(key => `${key.toString('base64')}\n`).join('');
  await writeFile(draft, text, { mode: 0o600, flush: true });
  return draft;
}

/** Removes the file that a failed restore has written. */
export const removeMasterKeys = (path: string): Promise<void> => rm(path, { force: true });

/** Creates the first key. If two nodes start at once, one wins and both use its key. */
export async function makeMasterKey(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true });
  const draft = await draftOf(path, [newMasterKey()]);
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readMasterKeys(path))!.at(-1)!;
}

/**
 * Replaces the keys of a file, and flushes them to disk before anything is encrypted with them.
 * Keeps the owner of the file, because the command may run as another user than the shop.
 */
export async function writeMasterKeys(path: string, keys: readonly Buffer[], like = path): Promise<void> {
  try {
    const { uid, gid } = await stat(like);
    const draft = await draftOf(path, keys);
    await chown(draft, uid, gid);
    await rename(draft, path);
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    throw new OperatorFault(
      `The master key cannot be written (MASTER_KEY_FILE): ${(error as Error).message}`,
    );
  }
}
