import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorFault } from '../../kernel/operator-fault.ts';

const BYTES = 32;

/** One in base64 a line, the newest last: while secrets move from a key to another, both are there. */
function keysIn(text: string): Buffer[] | undefined {
  const keys = text
    .split(/\s+/)
    .filter(Boolean)
    .map(line => Buffer.from(line, 'base64'));
  return keys.length > 0 && keys.every(key => key.length === BYTES) ? keys : undefined;
}

/** The keys in a file; undefined when there is none. @throws OperatorFault for a file that holds no key */
export async function readMasterKeys(path: string): Promise<Buffer[] | undefined> {
  try {
    const keys = keysIn(await readFile(path, 'utf8'));
    if (keys) return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OperatorFault(`The master key cannot be read (MASTER_KEY_FILE): ${(error as Error).message}`);
  }
  throw new OperatorFault(
    `${path} holds no master key, which is ${BYTES} bytes in base64: put it back from your backup (MASTER_KEY_FILE).`,
  );
}

/** The same at once, for who needs a key that may have come by now; none where nothing can be read. */
export function keysByNow(path: string): Buffer[] {
  try {
    return keysIn(readFileSync(path, 'utf8')) ?? [];
  } catch {
    return [];
  }
}

export const newMasterKey = (): Buffer => randomBytes(BYTES);

/** Written whole under another name: nobody ever reads half a key. Readable by its owner only. */
async function draftOf(path: string, keys: readonly Buffer[]): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const text = keys.map(key => `${key.toString('base64')}\n`).join('');
  await writeFile(draft, text, { mode: 0o600, flush: true });
  return draft;
}

/** The first key of a file. Of two nodes that start at once one wins, and both use its key. */
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
 * Puts other keys in the place of those of a file, on the disk before anything is sealed with them, and for whom the file
 * was: the command may be another user's than the shop.
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
