import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

/** Folders that the pages omit at the beginning of a path. */
const BASES = ['', 'apps/api/src/', 'apps/api/src/modules/', 'apps/web/src/', 'apps/api/test/'];

const read = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(['docs/map.md', 'docs/contribute/where-to-find.md'])('%s names files that exist', page => {
  const paths = Array.from(read(page).matchAll(/`([\w.-]+\/[\w./-]*)`/g), ([, path]) => path!);
  expect(paths.length).toBeGreaterThan(20);
  const missing = paths.filter(path => !BASES.some(base => existsSync(join(root, base, path))));
  expect(missing).toEqual([]);
});

test('the map is one page', () => {
  expect(read('docs/map.md').split('\n').length).toBeLessThan(110);
});
