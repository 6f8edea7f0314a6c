import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packageAgent } from './agent-package.ts';
import { withNode } from './node-package.ts';

/** A checkout whose lock file names a Node for another architecture, and a fake `npm` that provides it. */
let folder: string;
let digest: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fixpoint-node-'));
  mkdirSync(join(folder, 'package/bin'), { recursive: true });
  writeFileSync(join(folder, 'package/bin/node'), 'foreign');
  execFileSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder });
  digest = createHash('sha512')
    .update(readFileSync(join(folder, 'packed.tgz')))
    .digest('base64');
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh\n[ "$2" = node-linux-z80@24.0.0 ] && cp ${folder}/packed.tgz "$4/node-linux-z80-24.0.0.tgz"\n`,
    { mode: 0o755 },
  );
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const lock = (version: string, integrity: string) =>
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/node-linux-z80': { version, integrity } } }),
  );
const bytesOf = async (node: string) => readFileSync(join(node, 'bin/node'), 'utf8');
const fetched = (arch: string) => withNode(arch, join(folder, 'work'), bytesOf, folder);

test('FV13 the Node for another architecture is fetched by version and hash of the lock file, or the build fails', async () => {
  lock('24.0.0', `sha512-${digest}`);
  expect(await fetched('z80')).toBe('foreign');
  await expect(fetched('vax')).rejects.toThrow('There is no package node-linux-vax');
  lock('24.0.0', `sha512-${digest.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`);
  await expect(fetched('z80')).rejects.toThrow('does not have the hash of package-lock.json');
  lock('24.0.1', `sha512-${digest}`);
  await expect(fetched('z80')).rejects.toThrow('npm could not fetch node-linux-z80');
  expect(existsSync(join(folder, 'work'))).toBe(true);
  expect(execFileSync('ls', [join(folder, 'work')], { encoding: 'utf8' })).toBe('');
});

test('FV13 an unknown architecture is refused, and the error names the supported ones', async () => {
  await expect(packageAgent(folder, 'sparc')).rejects.toThrow('amd64 or arm64');
});
