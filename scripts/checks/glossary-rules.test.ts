import { expect, test } from 'vitest';
import { glossaryOf, type Text, violations } from './glossary-rules.ts';

const page = (rules: string, more = '') => `# Glossary: English (en)

## Words

| English | said | note |
|---|---|---|
| plan | plan | what is sold |
| log in, log out | log in, sign off | |

## Rules

| never | instead | where |
|---|---|---|
${rules}
${more}`;
const text = (words: string, from: Text['from'] = 'screens', english = ''): Text => ({
  from,
  key: 'a.key',
  english,
  variants: [words],
});

test.each([
  ['a word in any case', '| `e-mail` | email | |', 'Your E-mail', 'Your email'],
  ['a mark', '| `;` | a full stop | |', 'We wait; you pay.', 'We wait. You pay.'],
  [
    'one of several words',
    '| `/\\bsettled\\b\\|\\bwish\\b/` | plain | |',
    'It is settled',
    'It went through',
  ],
  ['an ending that is not polite', '| `/(?<!ပါ)သည်(?=။\\|$)/` | ပါသည် | |', 'ဖွင့်နေသည်။', 'ဖွင့်နေပါသည်။'],
  ['an ending of another register', '| `/(?<!주)세요/` | 해 주세요 | |', '누르세요.', '눌러 주세요.'],
  ['a sign inside of a word', '| `a.b` | ab | |', 'a.b', 'axb'],
])('%s is found, and its right form is not', (_, rule, wrong, right) => {
  const glossary = glossaryOf(page(rule));
  expect(glossary.faults).toEqual([]);
  expect(violations(glossary, [text(wrong)])).toEqual([expect.stringMatching(/^a\.key: never /)]);
  expect(violations(glossary, [text(right)])).toEqual([]);
});

test('every choice of a plural is read, and the name of an argument is none of its words', () => {
  const glossary = glossaryOf(page('| `place` | location | |'));
  expect(violations(glossary, [{ ...text(''), variants: ['one {place}', 'many places'] }])).toHaveLength(1);
  expect(violations(glossary, [text('one {place}')])).toEqual([]);
});

test('a rule for emails says nothing of screens', () => {
  const glossary = glossaryOf(page('| `hello` | dear | emails |'));
  expect(violations(glossary, [text('Hello'), text('Hello', 'documents')])).toEqual([]);
  expect(violations(glossary, [text('Hello', 'emails')])).toHaveLength(1);
});

test('a label that is a term has its word', () => {
  const glossary = glossaryOf(page('| `;` | . | |'));
  expect(violations(glossary, [text('Tariff', 'screens', 'Plan')])).toEqual([
    'a.key: “Tariff” is called plan',
  ]);
  expect(violations(glossary, [text('Sign off', 'screens', 'Log out')])).toEqual([]);
  expect(violations(glossary, [text('Tariff', 'screens', 'Plan of the house')])).toEqual([]);
});

test.each([
  [
    'a section that nobody reads',
    page('| `;` | . | |', '\n## Remarks\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n'),
  ],
  ['a row that lacks a cell', page('| `;` | . |')],
  ['a bar that is not escaped', page('| `/a|b/` | c | |')],
  ['a place that is none', page('| `;` | . | pages |')],
  ['no rules', page('')],
  ['nothing at all', ''],
])('a glossary with %s is at fault', (_, faulty) => {
  expect(glossaryOf(faulty).faults).not.toEqual([]);
});

test('an expression that is none is refused', () => {
  expect(() => glossaryOf(page('| `/(/` | . | |'))).toThrow(/regular expression/);
});
