import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

/** Below the benchmark's goal, because few rounds on a busy machine vary. */
const MIN_SHARE = 80; // per cent

/** Direction → speed in per cent of a plain OpenVPN. */
async function measured(): Promise<Record<string, number>> {
  const bench = [join(root, 'bench/throughput.ts'), '7', '20'];
  const env = { ...basicEnv(), NO_INSTALL: '1' };
  // The benchmark exits with 1 when its own goal is missed.
  const { stdout } = await promisify(execFile)(process.execPath, bench, { env, timeout: 200_000 }).catch(
    (error: { stdout: string }) => error,
  );
  process.stdout.write(stdout);
  const shares = [...stdout.matchAll(/^(\w+) .* plain OpenVPN +\d+: ([\d.]+) %/gm)];
  return Object.fromEntries(shares.map(([, way, share]) => [way!, Number(share)]));
}

test('an unlimited line is about as fast as a plain OpenVPN in both directions', async () => {
  const first = await measured();
  const isSlow = Object.values(first).some(share => share <= MIN_SHARE);
  // Other load may slow down one of the two once; a defect does so each time.
  const shares = isSlow ? await measured() : first;
  expect(Object.keys(shares)).toEqual(['download', 'upload']);
  for (const [way, share] of Object.entries(shares)) expect(share, way).toBeGreaterThan(MIN_SHARE);
});
