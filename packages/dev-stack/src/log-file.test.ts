import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from './log-file.ts';

test('a log has at most four files of about 5 MB that only their owner may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = openLog(folder, 'noisy');
  const line = 'x'.repeat(99_999);
  for (let count = 0; count < 400; count++) log.write(line);
  log.close();
  const files = await readdir(folder);
  expect(files.sort()).toEqual(['noisy.1.log', 'noisy.2.log', 'noisy.3.log', 'noisy.log']);
  for (const file of files) {
    const { size, mode } = await stat(join(folder, file));
    expect(size).toBeLessThan(5_200_000);
    expect(mode & 0o777).toBe(0o600);
  }
});
