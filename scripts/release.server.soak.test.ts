import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelease, releaseCommand } from './testing/build-release.ts';

/** Builds a release twice, and looks at its files. The test of the package installs them. */
const run = promisify(execFile);
let folder: string;
let dist: string;
let fileOf: (pattern: RegExp) => Promise<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-release-'));
  ({ dist, fileOf } = await buildRelease(folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('OP15 the same commit and key give the same bytes, at another place too', {
  timeout: 600_000,
}, async () => {
  const [other, work] = [join(folder, 'elsewhere'), join(folder, 'work')];
  await Promise.all(
    [other, work, `${work}/upper`, `${work}/work`].map(path => mkdir(path, { recursive: true })),
  );
  const script = `mount -t overlay overlay -o "lowerdir=${root},upperdir=${work}/upper,workdir=${work}/work" ${other} &&
    rm -rf ${other}/apps/web/dist && cd ${other} && umask 077 && exec "$@"`;
  const command = releaseCommand(other, folder, join(folder, 'dist2')).map(part =>
    part.replace(root, `${other}/`),
  );
  await run('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command]);
  const sums = (of: string) => readFile(join(folder, of, 'SHA256SUMS'), 'utf8');
  expect(await sums('dist2')).toBe(await sums('dist'));
});

test('OP15 checksums and signature hold, and the package is small and knows its signer', async () => {
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist });
  const file = await fileOf(/^fixpoint_.*\.deb$/);
  await run('dpkg-deb', ['--extract', file, join(folder, 'files')]);
  const signers = join(folder, 'files/usr/share/fixpoint/release-signers');
  const verify = `ssh-keygen -Y verify -f ${signers} -I release -n fixpoint-release -s SHA256SUMS.sig < SHA256SUMS`;
  await run('sh', ['-c', verify], { cwd: dist });
  expect((await stat(file)).size).toBeLessThan(120e6);
  const { stdout: kilobytes } = await run('dpkg-deb', ['--field', file, 'Installed-Size']);
  expect(Number(kilobytes)).toBeLessThan(350_000);
  const bill = JSON.parse(await readFile(await fileOf(/\.cdx\.json$/), 'utf8'));
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toContain('fastify');
  expect(names).not.toContain('vitest');
});

test('OP15 the units are closed to the rest of the machine', async () => {
  for (const name of ['fixpoint-api', 'fixpoint-worker']) {
    const unit = join(folder, 'files/usr/lib/systemd/system', `${name}.service`);
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit]);
    expect(stdout).toContain('Overall exposure level');
  }
});

test('OP15 the rules of Prometheus and the dashboard are where the guide says, in words of the package', async () => {
  const read = (path: string) => readFile(join(folder, 'files', path), 'utf8');
  const guide = await readFile(join(root, 'docs/operate/watching.md'), 'utf8');
  const [, rules] = /rule_files: \[(\S+)\]/.exec(guide)!;
  expect(await read(rules!)).toContain('fixpoint alerts');
  expect(await read(rules!)).not.toContain('npm run');
  const [dashboard] = /\/usr\/share\/\S+\.json/.exec(guide)!;
  expect(JSON.parse(await read(dashboard))).toHaveProperty('panels');
});

test('OP15 the manual knows every command', async () => {
  const manual = await readFile(join(folder, 'files/usr/share/man/man1/fixpoint.1'), 'utf8');
  expect(manual).toContain('fixpoint host move');
});
