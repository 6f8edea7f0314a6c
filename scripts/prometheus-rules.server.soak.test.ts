import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

const folder = join(root, 'ops/prometheus');
const promtool = (...args: string[]) =>
  promisify(execFile)('promtool', args, { cwd: folder, env: basicEnv() });
/** Of Debian's package prometheus, which `npm run test:all` names where it is missing. */
const isInstalled = spawnSync('promtool', ['--version']).status === 0;

test('each rule is tested: it fires, and it stays silent', async () => {
  const namesIn = async (file: string, pattern: RegExp) =>
    Array.from((await readFile(join(folder, file), 'utf8')).matchAll(pattern), ([, name]) => name!);
  const rules = await namesIn('rules.yaml', /- alert: (\w+)/g);
  expect(rules.length).toBeGreaterThan(10);
  for (const outcome of ['fires', 'stays silent'])
    expect(await namesIn('rules.test.yaml', new RegExp(`name: (\\w+) ${outcome}`, 'g'))).toEqual(rules);
});

test.skipIf(!isInstalled)('promtool finds the rules valid, and each does what its test says', async () => {
  await promtool('check', 'rules', 'rules.yaml');
  const { stdout } = await promtool('test', 'rules', 'rules.test.yaml');
  expect(stdout).toContain('SUCCESS');
});
