import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildWeb } from '../../scripts/build.ts';
import { basicEnv, root } from '../../scripts/env.ts';
import { regionObstacle } from '../../scripts/stack/region.ts';

/**
 * Every bench, as short as it can be: what it measures then says nothing, but it goes on measuring what it says. One that
 * misses its goal ends with 1; here that is no fault.
 */
const benches: Record<string, { args: string[]; prints: RegExp; obstacle?: string }> = {
  attacks: { args: ['--seconds', '0.5', '--only', 'FS5'], prints: /^in ms[\s\S]+FS5/m },
  calls: {
    args: ['--seconds', '0.2', '--rounds', '1', '--purchases', '4'],
    prints: /^purchase +[\d.]+ \/s/m,
  },
  chaos: { args: ['--buyers', '3', '--parallel', '3', '--freeze', '1'], prints: /^The books balance\.$/m },
  fill: { args: ['300'], prints: /s in all, for 300 customers/ },
  lighthouse: { args: ['/#/en/get-started', '1'], prints: /performance: \d+/ },
  memory: { args: ['1'], prints: /^shop with database \d+ MiB/m },
  money: { args: ['--buyers', '4'], prints: /^The books balance\.$/m },
  plans: { args: ['300', '1'], prints: /^\d{3,} statements, the slowest/m },
  start: { args: ['1'], prints: /^second start +[\d.]+ s/m },
  'time-to-tunnel': { args: ['1'], prints: /^reached +median \d+ ms/m, obstacle: regionObstacle(root) },
};

test('FO4 every bench is tried here', () => {
  const names = readdirSync(join(root, 'bench')).flatMap(file => /^(.+)\.ts$/.exec(file)?.[1] ?? []);
  expect(Object.keys(benches).sort()).toEqual(names.sort());
});

for (const [name, { args, prints, obstacle }] of Object.entries(benches)) {
  const title = `FO4 ${name} measures what it says`;
  test.skipIf(obstacle)(obstacle ? `${title} (not here: ${obstacle})` : title, async () => {
    await buildWeb(() => {});
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bench', `${name}.ts`), ...args], {
      env: { ...basicEnv(), NO_INSTALL: '1' },
      encoding: 'utf8',
      timeout: 200_000,
    });
    expect(stdout, stderr).toMatch(prints);
  });
}
