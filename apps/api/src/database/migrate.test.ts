import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8');

test('an applied migration never changes: a new one is a new file with its own line', () => {
  const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter(name =>
    name.endsWith('.sql'),
  );
  const lines = files.map(name => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}`);
  expect(lines).toEqual(read('SHA256SUMS').trimEnd().split('\n'));
});
