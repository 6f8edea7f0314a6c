import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Messages of failed starts. Each test runs the process of `npm start` with its own data folder. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-run-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(script: string, args: string[], env: Record<string, string>, before: string[] = []) {
  const [program = '', ...rest] = [...before, process.execPath, join(root, script), ...args];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    env: { ...basicEnv(), NO_INSTALL: '1', DATA_DIR: join(folder, 'data'), ...env },
    encoding: 'utf8',
    timeout: 50_000,
  });
  // A message for the operator has no stack trace.
  expect(stderr).not.toMatch(/\n\s+at |Error:/);
  return { status, stdout, stderr };
}
const start = (env: Record<string, string>, ...args: string[]) => run('scripts/run.ts', args, env);

test('FO11 --help and an unknown option print the usage', () => {
  expect(start({}, '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Usage: npm start'),
  });
  const { status, stderr } = start({}, '--port', '80');
  expect({ status, named: stderr.includes("'--port'") && stderr.includes('Usage') }).toEqual({
    status: 78,
    named: true,
  });
});

test('FO11 the message names a data folder that cannot be written, and the remedy', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  for (const [dataDir, why] of [
    [join(file, 'data'), 'is a file'],
    [file, 'a file has that name'],
    ['/sys/fixpoint', 'cannot be written'],
  ] as const) {
    const { status, stderr } = start({ DATA_DIR: dataDir });
    expect({ status, stderr }, dataDir).toEqual({ status: 1, stderr: expect.stringContaining(why) });
    expect(stderr).toContain('set DATA_DIR to another folder');
  }
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'FO11 the message names a full disk (needs root on Linux: sudo npm test)',
  () => {
    const mount = 'mount -t tmpfs -o size=1m,mode=755 none "$DATA_DIR" && exec "$@"';
    const full = run('scripts/run.ts', [], { DATA_DIR: folder }, ['unshare', '-m', 'sh', '-c', mount, 'sh']);
    expect(full.stderr).toMatch(
      /(No space left on device|the disk is full)\. Make room there, or set DATA_DIR/,
    );
  },
);

test('FO11 a command without a running shop says how to start one', () => {
  const { status, stderr } = run('scripts/shop.ts', ['maintenance', 'on'], {});
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm start') });
  expect(run('scripts/shop.ts', ['maintenance', 'on'], { PORT: 'x' }).stderr).toContain(
    'PORT: x is not a port',
  );
});
