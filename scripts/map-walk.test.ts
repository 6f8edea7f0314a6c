import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the map follows a purchase through at most eight files, each imported by an earlier one', () => {
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
    // Client and server share a call by its name.
    return isImported || [path, files[n - 1]!].some(one => one.startsWith('packages/contract/'));
  });
  expect(known).toEqual(files.slice(1));
  // The two calls are made on the page, declared in the contract and answered by the handlers.
  for (const call of ['getMetaData', 'purchase']) {
    const [, begins, submits, contract, handlers] = files.map(read);
    expect(`${begins}${submits}`).toContain(`api.order.${call}(`);
    expect(contract).toMatch(new RegExp(`\\b${call}: `));
    expect(handlers).toMatch(new RegExp(`\\b${call}[:(]`));
  }
});
