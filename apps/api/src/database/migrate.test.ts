import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8');

test('a migration stays as shops have applied it: what is new goes into a file of its own, with its line', () => {
  const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter(name =>
    name.endsWith('.sql'),
  );
  const lines = files.map(name => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}`);
  expect(lines).toEqual(read('SHA256SUMS').trimEnd().split('\n'));
});
