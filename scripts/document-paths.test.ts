import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';
import { filesBelow, sources } from './checks/files.ts';

/** Folders that the pages omit at the beginning of a path. */
const BASES = ['', 'apps/api/src/', 'apps/api/src/modules/', 'apps/web/src/', 'apps/api/test/'];
/** Pages whose examples name files that a reader would write. */
const WITH_EXAMPLES = ['docs/contribute/add-a-feature.md', 'docs/contribute/migrate.md'];

const read = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(['docs/map.md', 'docs/contribute/where-to-find.md'])('%s names files that exist', page => {
  const paths = Array.from(read(page).matchAll(/`([\w.-]+\/[\w./-]*)`/g), ([, path]) => path!);
  expect(paths.length).toBeGreaterThan(20);
  const missing = paths.filter(path => !BASES.some(base => existsSync(join(root, base, path))));
  expect(missing).toEqual([]);
});

test('every page names source files that exist, or says that one is gone: `old.ts` (gone)', async () => {
  const files = (await Promise.all(sources.map(folder => filesBelow(folder, /\.(tsx?|mjs|sql)$/)))).flat();
  // By every ending of its path, because pages omit folders.
  const known = new Set(files.flatMap(path => path.split('/').map((_, at, all) => all.slice(at).join('/'))));
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'apps/agent/README.md',
    ...(await filesBelow('docs', /\.md$/)),
  ];
  const missing = pages
    .filter(page => !WITH_EXAMPLES.includes(page))
    .flatMap(page =>
      Array.from(
        read(page).matchAll(/`(\w[\w.-]*(?:\/[\w.-]+)*\.(?:tsx?|mjs|sql))`(?! \(gone\))/g),
        ([, path]) => [page, path!] as const,
      ),
    )
    .filter(([, path]) => !known.has(path) && !existsSync(join(root, path)));
  expect(missing.map(([page, path]) => `${page}: ${path}`)).toEqual([]);
});

test('the map is one page', () => {
  expect(read('docs/map.md').split('\n').length).toBeLessThan(110);
});
