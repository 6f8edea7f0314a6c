import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { basicEnv, root } from './env.ts';

/** Below what it is (0033), by as much as few rounds on a busy machine may differ. */
const LEAST = 80; // per cent

test('a line that nobody limits is about as fast as a plain OpenVPN, both ways', async () => {
  const bench = [join(root, 'bench/throughput.ts'), '7', '20'];
  const env = { ...basicEnv(), NO_INSTALL: '1' };
  // It ends with 1 where the goal of its long run is missed.
  const { stdout } = await promisify(execFile)(process.execPath, bench, { env, timeout: 200_000 }).catch(
    (error: { stdout: string }) => error,
  );
  const shares = [...stdout.matchAll(/^(\w+) .* plain OpenVPN +\d+: ([\d.]+) %/gm)];
  process.stdout.write(stdout);
  expect(shares.map(([, way]) => way)).toEqual(['download', 'upload']);
  for (const [line, , share] of shares) expect(Number(share), line).toBeGreaterThan(LEAST);
});
