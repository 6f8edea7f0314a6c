import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EnvFileError, readEnvFile } from './env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixpoint-env-'));
afterAll(() => rmSync(folder, { recursive: true }));
function fileWith(text: string) {
  const path = join(folder, '.env');
  writeFileSync(path, text);
  return readEnvFile(path);
}

test('a value that its # would cut is named, not quoted, and one in quotes or with a comment is fine', () => {
  const { problems } = fileWith('# a\nA=pa#ss\nexport B = "q#q"\nC=c # why\nD=\'d#\'\nE=\nF=f#\n  G=1');
  expect(problems.map(line => line.split(':')[0])).toEqual(['A', 'F']);
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
