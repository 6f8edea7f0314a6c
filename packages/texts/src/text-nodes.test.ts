import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loneTexts } from './testing/text-nodes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('BG4 every text of a page stands in an element of its own', () => {
  const files = globSync('{apps/web,packages/{ui,web-client}}/src/**/*.tsx', {
    cwd: root,
    exclude: name => /\.test\.tsx$|screens\/dev|node_modules/.test(name),
  });
  expect(files.length).toBeGreaterThan(150);
  expect(files.flatMap(file => loneTexts(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  ['beside an element', '<p>{t("a")} <b>x</b></p>'],
  ['beside another text', '<p>{busy && t("a")}{done && icon}</p>'],
  ['in a fragment', '<>{label}</>'],
  ['where an element may come instead', '<p>{ok ? <b>x</b> : t("a")}</p>'],
  ['as a template', '<p><i />{`a ' + '$' + '{b}`}</p>'],
])('a text is found %s', (_, jsx) => {
  expect(loneTexts('x.tsx', `const x = ${jsx};`)).toHaveLength(1);
});

test('a component that returns a text is found, and a function that does is not', () => {
  expect(loneTexts('x.tsx', 'function Price() { return money(1); }')).toHaveLength(1);
  expect(loneTexts('x.tsx', 'function price() { return money(1); }')).toEqual([]);
  expect(
    loneTexts('x.tsx', 'function Price() { const f = () => { return t("a"); }; return <p>{f()}</p>; }'),
  ).toEqual([]);
});

test.each([
  '<p>{t("a")}</p>',
  '<p><span>{t("a")}</span> <b>x</b></p>',
  "<p><b />{' '}<i /></p>",
  '<p>{icon}<b /></p>',
])('nothing is found in %s', jsx => {
  expect(loneTexts('x.tsx', `const x = ${jsx};`)).toEqual([]);
});
