import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MasterKey, openMasterKey } from '../../src/adapters/master-key/ring.ts';
import { openDatabase } from '../../src/database/database.ts';

/** Handling of the key without which the database cannot be read. */
let folder: string;
let database: TestDatabase;
let other: TestDatabase;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-key-'));
  file = join(folder, 'master.key');
  database = await createDatabase();
  other = await createDatabase();
});
afterAll(async () => {
  await database?.drop();
  await other?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string, { urls }: TestDatabase = database): Promise<MasterKey> {
  const { db, close } = openDatabase(urls.app);
  return openMasterKey(db, path).finally(close);
}
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test('FO10 the first start creates a key that only its owner can read; nodes that start at once share it', async () => {
  const [one, ...more] = await Promise.all(Array.from({ length: 4 }, () => open(file)));
  expect(one!.root).toHaveLength(32);
  for (const { root, vault } of [...more, await open(file)]) {
    expect(root).toEqual(one!.root);
    expect(vault.open(one!.vault.seal('said', 'here'), 'here')).toBe('said');
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('FO10 a lost key is never created again beside its database', async () => {
  await rename(file, `${file}.backup`);
  await expect(open(file)).rejects.toThrow(/master key is missing.*MASTER_KEY_FILE/);
  expect(await exists(file)).toBe(false);
  // With the key restored the shop starts.
  await rename(`${file}.backup`, file);
  await open(file);
});

test('FO10 a key of another database, or no key, is refused by name', async () => {
  const foreign = join(folder, 'foreign.key');
  await open(foreign, other);
  await expect(open(foreign)).rejects.toThrow('belongs to another database');
  await expect(open(file, other)).rejects.toThrow('belongs to another database');
  await writeFile(foreign, (await readFile(file, 'utf8')).slice(0, 20));
  await expect(open(foreign)).rejects.toThrow('contains no master key');
  await expect(open(folder)).rejects.toThrow('cannot be read (MASTER_KEY_FILE)');
});
