import { expect, test } from 'vitest';
import { percent, readMutants, scorePage } from './score.ts';
import { isDrawn } from './share.ts';

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
        mutant('CompileError', 'not drawn'),
        mutant('Ignored', 'x'),
      ],
    },
  },
};

test('killed mutants count, survivors are named with their line, and those outside the sample are neither', () => {
  const score = readMutants(report);
  expect(score).toEqual({
    mutants: 5,
    tried: 4,
    noticed: 2,
    unnoticed: ['rule.ts:2: a < b → a > b', 'rule.ts:2: a < b → true (no test covers it)'],
  });
  expect(percent(score)).toBe(50);
  expect(percent({ tried: 1000, noticed: 849 })).toBe(84);
});

test('the page keeps the rows of areas that were not measured', () => {
  const order = ['domain', 'billing', 'payment'];
  const first = scorePage('', { billing: { mutants: 40, tried: 10, noticed: 9, unnoticed: [] } }, order);
  const page = scorePage(first, { domain: { mutants: 3, tried: 3, noticed: 3, unnoticed: [] } }, order);
  expect(page.split('\n').filter(line => /^\| \w+ \| \d/.test(line))).toEqual([
    '| domain | 3 | 3 | 3 | 100 % |',
    '| billing | 40 | 10 | 9 | 90 % |',
  ]);
});

test('a sample is random but reproducible, and a larger share contains it', () => {
  const changes = Array.from({ length: 1000 }, (_, n) => ['rule.ts', n]);
  const drawn = (share: number) => changes.filter(change => isDrawn(share, 'seed', change));
  expect(drawn(0.3).length).toBeGreaterThan(250);
  expect(drawn(0.3).length).toBeLessThan(350);
  expect(drawn(0.6)).toEqual(expect.arrayContaining(drawn(0.3)));
  expect(drawn(1)).toEqual(changes);
  expect(changes.filter(change => isDrawn(0.3, 'another', change))).not.toEqual(drawn(0.3));
});
