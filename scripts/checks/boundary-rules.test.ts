import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { expect, onTestFinished, test } from 'vitest';
import { type BoundaryRule, deadRules } from './boundary-rules.ts';

const files = ['a/one/x.ts', 'a/one/x.test.ts', 'a/two/y.ts', 'b/z.ts', 'node_modules/zod/index.js', 'fs'];
const tests = '\\.test\\.ts$';

test.each<[string, BoundaryRule]>([
  ['folders', { from: { path: '^a/', pathNot: tests }, to: { path: ['^b/', '^a/two/'] } }],
  ['a package', { from: { path: '^b/' }, to: { path: '/zod/' } }],
  ['everything', { from: {}, to: {} }],
  ['everything else', { from: { path: '^b/' }, to: { pathNot: '^b/' } }],
  ['another folder', { from: { path: '^a/([^/]+)/' }, to: { path: '^a/[^/]+/', pathNot: '^a/$1/' } }],
  ['what no list names yet', { from: {}, to: { path: '^a/[^/]+/', pathNot: ['^a/one/', '^a/two/'] } }],
])('a rule about %s is alive', (name, rule) => expect(deadRules([{ name, ...rule }], files)).toEqual([]));

test.each<[string, BoundaryRule, string]>([
  ['nobody', { from: { path: '^gone/' }, to: { path: '^b/' } }, 'its `from` matches no file'],
  ['tests only', { from: { path: '^b/', pathNot: '^b/z' }, to: {} }, 'its `from` matches no file'],
  ['a target that went', { from: { path: '^b/' }, to: { path: '^gone/' } }, '^gone/ matches no file'],
  ['one of two', { from: { path: '^b/' }, to: { path: ['^a/', '^gone/'] } }, '^gone/ matches no file'],
  ['an exception', { from: { path: '^b/' }, to: { pathNot: ['^gone$'] } }, '^gone$ matches no file'],
  [
    'itself',
    { from: { path: '^a/(one)/' }, to: { path: '^a/one/', pathNot: '^a/$1/' } },
    'its `to` matches no file',
  ],
])('a rule about %s is dead', (name, rule, why) =>
  expect(deadRules([{ name, ...rule }], files)).toEqual([`${name}: ${why}`]),
);

const modules = 'apps/api/src/modules';

test('sub-folders of a module are entered by their index.ts only', async () => {
  const { subFolderBorder } = (await import(join(root, '.dependency-cruiser.js'))) as {
    subFolderBorder: IForbiddenRuleType;
  };
  const folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tree = {
    'payment/handlers.ts': ['./refund/index.ts', './refund/store.ts', './store.ts'],
    'payment/store.ts': [],
    'payment/attempt/begin.ts': ['../refund/index.ts', '../refund/store.ts'],
    'payment/refund/index.ts': ['./store.ts', '../store.ts'],
    'payment/refund/store.ts': [],
    'payment/refund/store.test.ts': ['../attempt/begin.ts'],
    // That another module enters by its index.ts is a rule of its own.
    'key/store.ts': ['../payment/refund/store.ts'],
  };
  for (const [path, imports] of Object.entries(tree)) {
    const file = join(folder, modules, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, imports.map(each => `import '${each}';`).join('\n'));
  }
  const ruleSet = { forbidden: [subFolderBorder] };
  const { output } = await cruise(['apps'], { baseDir: folder, ruleSet, validate: true, parser: 'swc' });
  const found = (output as ICruiseResult).summary.violations.map(({ from, to }) => `${from} → ${to}`);
  expect(found.map(line => line.replaceAll(`${modules}/payment/`, ''))).toEqual([
    'attempt/begin.ts → refund/store.ts',
    'handlers.ts → refund/store.ts',
  ]);
});
