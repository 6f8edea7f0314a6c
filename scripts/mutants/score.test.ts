import { expect, test } from 'vitest';
import { percent, readMutants, scorePage } from './score.ts';

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});
const mutant = (status: string, replacement: string, location = at(2, 8, 13)) => ({
  status,
  mutatorName: 'EqualityOperator',
  replacement,
  location,
});
const report = {
  files: {
    'rule.ts': {
      source: 'if (\nreturn a < b;\n',
      mutants: [
        mutant('Killed', 'a <= b'),
        mutant('Timeout', 'a >= b'),
        mutant('Survived', 'a > b'),
        mutant('NoCoverage', 'true'),
        mutant('CompileError', 'x'),
      ],
    },
  },
};

test('what was noticed counts, and what was not is named with its place', () => {
  const score = readMutants(report);
  expect(score).toEqual({
    mutants: 4,
    noticed: 2,
    unnoticed: ['rule.ts:2: a < b → a > b', 'rule.ts:2: a < b → true (no test comes here)'],
  });
  expect(percent(score)).toBe(50);
  expect(percent({ mutants: 1000, noticed: 849 })).toBe(84);
});

test('the page keeps the rows of areas that were not measured this time', () => {
  const order = ['domain', 'billing', 'payment'];
  const first = scorePage('', { billing: { mutants: 10, noticed: 9, unnoticed: [] } }, order);
  const page = scorePage(first, { domain: { mutants: 3, noticed: 3, unnoticed: [] } }, order);
  expect(page.split('\n').filter(line => /^\| \w+ \| \d/.test(line))).toEqual([
    '| domain | 3 | 3 | 100 % |',
    '| billing | 10 | 9 | 90 % |',
  ]);
});
