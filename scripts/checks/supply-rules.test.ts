import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { createEngine } from '@secretlint/node';
import { expect, onTestFinished, test } from 'vitest';
import { licencesOtherThan } from './installed-licences.ts';
import { isExact, isSecretFile, licenceProblems, licences, problemsOf } from './supply-rules.ts';

const good = { version: '1.0.0', integrity: 'sha512-x' };

test('S84 a package without a hash, from a named host or with an undecided install script is refused', () => {
  expect(problemsOf('good', good, {})).toEqual([]);
  expect(problemsOf('linked', { link: true }, {})).toEqual([]);
  expect(problemsOf('bad', { version: '1.0.0' }, {})).toEqual(['bad has no hash']);
  for (const resolved of ['https://evil.example/bad.tgz', 'git+ssh://git@evil.example/bad.git'])
    expect(problemsOf('bad', { ...good, resolved }, {})).toHaveLength(1);
  const scripted = { ...good, hasInstallScript: true };
  expect(problemsOf('scripted', scripted, {})).toHaveLength(1);
  expect(problemsOf('scripted', scripted, { scripted: false })).toEqual([]);
});

test('S84 versions are exact', () => {
  for (const version of ['1.2.3', '1.2.3-rc.1', 'npm:typescript@5.9.3'])
    expect(isExact(version), version).toBe(true);
  for (const version of [
    '^1.2.3',
    'npm:typescript@^5',
    '~1.2.3',
    '1.x',
    '*',
    '>=1',
    'latest',
    'github:a/b',
    'file:../x',
  ])
    expect(isExact(version), version).toBe(false);
});

test('S84 only packages with an allowed licence are accepted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'licences-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const taken = ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND BSD-3-Clause'];
  const refused = ['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'SEE LICENSE IN x', 'UNLICENSED', 'LIMITED', ''];
  const all = [...taken, ...refused].map((license, at) => ({
    name: `package-${at}`,
    version: '1.0.0',
    license,
  }));
  const dependencies = Object.fromEntries(all.map(({ name, version }) => [name, version]));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'x', private: true, dependencies }));
  for (const manifest of all) {
    const path = join(folder, 'node_modules', manifest.name);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'package.json'), JSON.stringify(manifest));
  }
  const found = await licencesOtherThan(licences, folder);
  expect(Array.from(found.keys()).sort()).toEqual(
    refused.map((_, at) => `node_modules/package-${taken.length + at}`),
  );
});

test('S84 a tool may have its listed licence; a package for another platform needs a licence of an installed one', () => {
  const none = new Map<string, string>();
  const here = () => true;
  const argparse = { 'node_modules/a/node_modules/argparse': { ...good, dev: true } };
  const [path] = Object.keys(argparse);
  const python = new Map([[path!, 'Python-2.0']]);
  expect(licenceProblems(argparse, python, here)).toEqual([]);
  const shipped = { [path!]: good };
  const another = new Map([[path!, 'GPL-3.0-only']]);
  expect(licenceProblems(shipped, python, here)).toEqual(['argparse: licence Python-2.0 is not on the list']);
  expect(licenceProblems(argparse, another, here)).toEqual([
    'argparse: licence GPL-3.0-only is not on the list',
  ]);

  const platforms = (license?: string) => ({
    'packages/own': { link: true },
    'node_modules/x-linux': { ...good, license: 'MIT' },
    'node_modules/x-darwin': { ...good, license },
  });
  const onLinux = (at: string) => at !== 'node_modules/x-darwin';
  expect(licenceProblems(platforms('MIT'), none, onLinux)).toEqual([]);
  for (const license of ['GPL-3.0-only', undefined])
    expect(licenceProblems(platforms(license), none, onLinux)).toEqual([
      `x-darwin: licence ${license ?? 'unknown'} is not on the list`,
    ]);
});

test('S84 Secretlint finds a secret in the checkout and ignores a random test key', async () => {
  const engine = await createEngine({
    cwd: root,
    configFilePath: join(root, '.secretlintrc.json'),
    formatter: 'json',
    color: false,
  });
  const isFound = async (content: string, filePath = join(root, 'x.ts')) =>
    !(await engine.executeOnContent({ content, filePath })).ok;
  // Concatenated, so that this file contains no secret.
  const key = '0123456789abcdefghijABCD';
  const planted = [
    `sk_${'live'}_${key}`,
    `whsec${'_'}${key}`,
    ...['', 'EC ', 'RSA ', 'OPENSSH ', 'ENCRYPTED '].map(
      kind =>
        `-----BEGIN ${kind}${'PRIVATE'} KEY-----\n${key.repeat(12)}\n-----END ${kind}${'PRIVATE'} KEY-----`,
    ),
    `AK${'IA'}0123456789ABCDEF`,
    `gh${'p'}_${'0a'.repeat(18)}`,
    `npm${'_'}${'0a'.repeat(18)}`,
  ];
  for (const text of planted) expect(await isFound(`key: ${text}`), text.slice(0, 30)).toBe(true);
  const token = `//registry.example/:_auth${'Token'}=${key}`;
  expect(await isFound(token, join(root, '.npmrc'))).toBe(true);
  expect(await isFound('sk_test_123, whsec_, -----BEGIN CERTIFICATE-----')).toBe(false);
});

test.each(['.env', 'apps/api/.env.local', 'a/server.key', 'a.pem', 'b.p12'])(
  'S84 %s is a secret file',
  path => expect(isSecretFile(path)).toBe(true),
);

test.each(['.env.example', 'apps/api/src/env.ts', 'a/monkey.ts'])('S84 %s is no secret file', path =>
  expect(isSecretFile(path)).toBe(false),
);
