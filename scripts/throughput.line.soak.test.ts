import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

/** Below what it is (0033), by as much as few rounds on a busy machine may differ. */
const LEAST = 80; // per cent

/** Shares of a plain OpenVPN's speed in per cent, by the way. */
async function measured(): Promise<Record<string, number>> {
  const bench = [join(root, 'bench/throughput.ts'), '7', '20'];
  const env = { ...basicEnv(), NO_INSTALL: '1' };
  // It ends with 1 where the goal of its long run is missed.
  const { stdout } = await promisify(execFile)(process.execPath, bench, { env, timeout: 200_000 }).catch(
    (error: { stdout: string }) => error,
  );
  process.stdout.write(stdout);
  const shares = [...stdout.matchAll(/^(\w+) .* plain OpenVPN +\d+: ([\d.]+) %/gm)];
  return Object.fromEntries(shares.map(([, way, share]) => [way!, Number(share)]));
}

test('a line that nobody limits is about as fast as a plain OpenVPN, both ways', async () => {
  const first = await measured();
  const isSlow = Object.values(first).some(share => share <= LEAST);
  // What a machine does beside it makes one of the two slower now and then; a fault does so each time.
  const shares = isSlow ? await measured() : first;
  expect(Object.keys(shares)).toEqual(['download', 'upload']);
  for (const [way, share] of Object.entries(shares)) expect(share, way).toBeGreaterThan(LEAST);
});
