import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the walk of a purchase on the map is eight files at most, and each leads to one after it', () => {
  const [, walk = ''] =
    /From the click on the button([\s\S]*?)\n\nThe page around/.exec(read('docs/map.md')) ?? [];
  const files = Array.from(walk.matchAll(/^\d\. .*?`([\w./-]+\.tsx?)`/gm), ([, path]) => path!);
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThanOrEqual(8);
  const known = files.filter((path, n) => {
    if (n === 0) return false;
    const name = basename(path).replace('.', '\\.');
    const isImported = files
      .slice(0, n)
      .some(earlier => new RegExp(`from '[^']*${name}'`).test(read(earlier)));
    // A call is made and answered by its name.
    return isImported || [path, files[n - 1]!].some(one => one.startsWith('packages/contract/'));
  });
  expect(known).toEqual(files.slice(1));
  // The two calls, where they are made and where they are answered.
  for (const call of ['getMetaData', 'purchase']) {
    const [, page, contract, handlers] = files.map(read);
    expect(page).toContain(`api.order.${call}(`);
    expect(contract).toMatch(new RegExp(`\\b${call}: `));
    expect(handlers).toMatch(new RegExp(`\\b${call}[:(]`));
  }
});
