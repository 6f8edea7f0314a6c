import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDataDir } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const [ours, theirs] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test('OP16 a data folder serves the nodes of one shop, and no second shop', async () => {
  await claimDataDir(folder, ours);
  await expect(claimDataDir(folder, ours)).resolves.toBe(true);
  await expect(claimDataDir(folder, theirs)).rejects.toThrow(
    `${folder} belongs to the shop of another database. Give each shop a DATA_DIR of its own`,
  );
  await rm(join(folder, 'database.id'));
  await expect(claimDataDir(folder, theirs)).resolves.toBe(true);
});

test('an interrupted first start is completed by the next one', async () => {
  await writeFile(join(folder, 'database.id'), '');
  await claimDataDir(folder, ours);
  await expect(claimDataDir(folder, theirs)).rejects.toThrow('another database');
});
