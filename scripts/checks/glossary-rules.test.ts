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
])('a rule finds %s and accepts the correct form', (_, rule, wrong, right) => {
  const glossary = glossaryOf(page(rule));
  expect(glossary.faults).toEqual([]);
  expect(violations(glossary, [text(wrong)])).toEqual([expect.stringMatching(/^a\.key: never /)]);
  expect(violations(glossary, [text(right)])).toEqual([]);
});

test('rules apply to every plural form, and not to names of arguments', () => {
  const glossary = glossaryOf(page('| `place` | location | |'));
  expect(violations(glossary, [{ ...text(''), variants: ['one {place}', 'many places'] }])).toHaveLength(1);
  expect(violations(glossary, [text('one {place}')])).toEqual([]);
});

test('a rule for emails does not apply to screens', () => {
  const glossary = glossaryOf(page('| `hello` | dear | emails |'));
  expect(violations(glossary, [text('Hello'), text('Hello', 'documents')])).toEqual([]);
  expect(violations(glossary, [text('Hello', 'emails')])).toHaveLength(1);
});

test('a label that is a term uses the word of the glossary', () => {
  const glossary = glossaryOf(page('| `;` | . | |'));
  expect(violations(glossary, [text('Tariff', 'screens', 'Plan')])).toEqual(['a.key: “Tariff” must be plan']);
  expect(violations(glossary, [text('Sign off', 'screens', 'Log out')])).toEqual([]);
  expect(violations(glossary, [text('Tariff', 'screens', 'Plan of the house')])).toEqual([]);
});

test.each([
  [
    'an unknown section',
    page('| `;` | . | |', '\n## Remarks\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n'),
  ],
  ['a missing cell', page('| `;` | . |')],
  ['an unescaped bar', page('| `/a|b/` | c | |')],
  ['an unknown place', page('| `;` | . | pages |')],
  ['no rules', page('')],
  ['nothing at all', ''],
])('a glossary with %s is refused', (_, faulty) => {
  expect(glossaryOf(faulty).faults).not.toEqual([]);
});

test('an invalid regular expression is refused', () => {
  expect(() => glossaryOf(page('| `/(/` | . | |'))).toThrow(/regular expression/);
});
