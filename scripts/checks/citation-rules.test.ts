import { expect, test } from 'vitest';
import { rulesOf } from '../requirements.ts';
import { citationsIn, faultsOfRules, violations } from './citation-rules.ts';

// Higher IDs than the real ones: the page of security requirements lists every test that names an ID.
const known = new Set(['S90', 'S91', 'S92', 'W12', 'FM1', 'F1']);
const check = (path: string, text: string) => violations(path, text, known);

test.each([
  ['a.ts', '/**\n * Codes (S90–S91).\n */'],
  ['a.ts', 'run(); // as it must be (S92, W12)'],
  ['a.test.ts', "test('FM1 F1 a charge is never lost', () => {});"],
  ['a.sql', '-- S92: its own rows only'],
  ['a.css', '/* W12 */'],
  ['docs/a.md', 'Rows are confined (S92).'],
])('FC7 an existing rule may be cited: %s %s', (path, text) => {
  expect(check(path, text)).toEqual([]);
  expect(citationsIn(path, text)).not.toEqual([]);
});

test.each([
  ['a.ts', 'x();\n/** Codes (S90, S99). */'],
  ['a.tsx', 'x();\ny(); // U7: read out'],
  ['a.test.ts', "x();\ntest('FM9 a charge is never lost', () => {});"],
  ['a.spec.ts', "]) (\n'S99 it holds', () => {});"],
  ['a.spec.ts', "x();\ntest('UX6 the first page says what it is for', () => {});"],
  ['a.sql', 'select 1;\n-- I3: once'],
  ['a.css', 'a {}\n/* U7 */'],
  ['docs/a.md', 'Words.\nMore (B4).'],
])('FC7 a citation of an unknown rule is refused: %s %s', (path, text) => {
  expect(check(path, text)).toEqual([
    expect.stringMatching(new RegExp(`^${path}:2: \\w+ is not a rule of docs/requirements$`)),
  ]);
});

test.each([
  ['a.ts', '// The curve is P-256, the file lies in S3, headings are h1, X509 and p95'],
  ['a.ts', 'const arrow = "M4 5v14 S99 1";'],
  ['a.tsx', '// see https://example.test/B4 and #E7, version M9.1'],
  ['a.ts', "const place = 'https://example.test/S99';"],
])('text that only looks like an ID is ignored: %s %s', (path, text) =>
  expect(check(path, text)).toEqual([]),
);

test.each([
  'as ux.md says',
  'never twice (payments.md 3.5)',
  'in order (decisions, "Accounts")',
  'a value (architecture rule 1)',
  'kill -9 (reliability faults 15)',
  'five seconds (spec section 4)',
  'the calls of the specification',
  'big targets (ux 3)',
  'see ../shared/notes.md',
])('FC7 a document outside the repository is refused: %s', words => {
  for (const [path, text] of [
    ['a.ts', `x();\n/** ${words} */`],
    ['a.test.ts', `x();\ntest('${words}', () => {});`.replace('"Accounts"', '“Accounts”')],
    ['docs/a.md', `Words.\n${words}`],
  ] as const)
    expect(check(path, text)).toEqual([
      expect.stringMatching(`^${path}:2: ".*" is not in the repository: cite`),
    ]);
});

test('pages inside the repository may be named', () => {
  expect(check('docs/map.md', '[rules](requirements/security.md), docs/generated/security.md')).toEqual([]);
  expect(check('docs/requirements/README.md', '[security.md](security.md)')).toEqual([]);
});

test('a page defines a rule in a list item that begins with its ID', () => {
  const page = '# Words\n\nSee S91.\n\n- **S90** First words\n  and more.\n- **FM1** Second.\n';
  expect(rulesOf(page)).toEqual([
    ['S90', 'First words and more.'],
    ['FM1', 'Second.'],
  ]);
});

test('an ID belongs to one rule and is well formed', () => {
  expect(faultsOfRules(['S90', 'FM1'])).toEqual([]);
  expect(faultsOfRules(['S90', 'FM1', 'S90'])).toEqual(['S90 belongs to two rules']);
  expect(faultsOfRules(['S6', 'Q1', 'W012'])).toHaveLength(3);
});
