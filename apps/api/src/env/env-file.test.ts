import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cutSettings, EnvFileError, misspeltSettings, readEnvFile } from './env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixpoint-env-'));
afterAll(() => rmSync(folder, { recursive: true }));
function fileWith(text: string) {
  const path = join(folder, '.env');
  writeFileSync(path, text);
  return readEnvFile(path);
}

test('a value that its # would cut is named, not quoted, and one in quotes or with a comment is fine', () => {
  const { problems } = fileWith(
    '# a\nA=pa#ss\nexport B = "q#q"\nC=c # why\nD=\'d#\'\nE=\nF=f#\n  G=1\nH=#123456\nI="\nJ=j#j\n"',
  );
  expect(problems.map(line => line.split(':')[0])).toEqual(['A', 'F', 'H']);
  expect(problems.join()).not.toContain('pa');
  expect(problems[0]).toContain('Example: A="a#b"');
});

test('the file is read as Node reads it, and need not exist', () => {
  expect(fileWith('B="q#q"\n').values).toEqual({ B: 'q#q' });
  expect(readEnvFile(join(folder, 'absent'))).toEqual({ values: {}, problems: [] });
});

test('a file that cannot be read is named, with the remedy', () => {
  expect(() => readEnvFile(folder)).toThrow(EnvFileError);
  expect(() => readEnvFile(folder)).toThrow(`${folder} cannot be read: it is a folder`);
});

test('OP12 every program that Node starts with a file of settings says which values it cuts, and which names nobody reads', () => {
  const path = join(folder, '.env');
  const text =
    'BRAND_COLOR=#123456\nBRAND_NAME=a#b\nSTRIPE_SECRT=x\nFAVOURITE_COLOUR=red\nNODE_OPTIONS=--no-warnings\n';
  const { values } = fileWith(text);
  for (const options of [[`--env-file=${path}`], ['--env-file-if-exists', path]]) {
    const cut = (env: NodeJS.ProcessEnv) =>
      cutSettings(env, ['--no-warnings', ...options]).map(line => line.split(':')[0]);
    expect(cut(values)).toEqual(['BRAND_COLOR', 'BRAND_NAME']);
    // The environment wins over the file.
    expect(cut({ ...values, BRAND_NAME: 'b' })).toEqual(['BRAND_COLOR']);
    expect(misspeltSettings(values, options)).toEqual([
      'FAVOURITE_COLOUR is not a setting and is ignored.',
      'STRIPE_SECRT is not a setting and is ignored. Did you mean STRIPE_SECRET?',
    ]);
  }
  expect(cutSettings(values, [])).toEqual([]);
});

test('of the environment only names that are nearly those of settings are named', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'NODE_OPTIONS',
    'LOGNAME',
    'SSH_AUTH_SOCK',
    'INVOCATION_ID',
    'AGENT_SERVICE_HOST',
  ];
  const env = Object.fromEntries([...others, 'SMTP_ULR', 'PORT'].map(name => [name, 'x']));
  expect(misspeltSettings(env, [])).toEqual([
    'SMTP_ULR is not a setting and is ignored. Did you mean SMTP_URL?',
  ]);
});
