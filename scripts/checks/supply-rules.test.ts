import { expect, test } from 'vitest';
import { isAllowed, isExact, problemsOf, secretsIn } from './supply-rules.ts';

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

test('S84 only licences on the list are taken', () => {
  for (const licence of ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND BSD-3-Clause'])
    expect(isAllowed(licence), licence).toBe(true);
  for (const licence of ['', 'GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'SEE LICENSE IN x', 'UNLICENSED'])
    expect(isAllowed(licence), licence).toBe(false);
});

test('S84 a secret in the checkout is noticed, a random test key is not', () => {
  // Put together here, so that this file holds none itself.
  const key = '0123456789abcdefghijABCD';
  const planted = [
    `sk_${'live'}_${key}`,
    `whsec${'_'}${key}`,
    `-----BEGIN ${'PRIVATE'} KEY-----\n${key.repeat(2)}`,
    `AK${'IA'}0123456789ABCDEF`,
    `gh${'p'}_${'0a'.repeat(18)}`,
    `//registry.example/:_auth${'Token'}=x`,
  ];
  for (const text of planted) expect(secretsIn(`key: ${text}`), text.slice(0, 12)).toHaveLength(1);
  expect(secretsIn('sk_test_123, whsec_, -----BEGIN CERTIFICATE-----')).toEqual([]);
});
