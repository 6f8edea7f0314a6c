import { expect, test } from 'vitest';
import { productTests, titlesOf } from './product-tests.ts';

const page = '- **W12** Guards send on.\n- **W13** Not found says so.\n- **W14** A fault shows.\n';
const row = (id: string, file: string, title: string) => `| ${id} | \`${file}\` | ${title} |\n`;
/** No rule of ours, so that it is no citation. */
const GONE = ['W', 99].join('');
const files = new Map([
  [
    'a.test.ts',
    "describe('a guard', () => {\n  test('W12 sends on', () => {});\n  test.each(['401', '500'])(\n    'says %s', () => {});\n});\n",
  ],
]);

test('a title may stand behind a table, or on a line of its own', () => {
  expect(titlesOf(files.get('a.test.ts')!)).toEqual(['a guard', 'W12 sends on', 'says %s']);
});

test('a rule is shown by the tests that cite it and by those of the list', () => {
  const list = `${row('W13', 'a.test.ts', 'says')}| W14 | No test shows it. |\n`;
  const { shown, faults } = productTests(page, list, files);
  expect(faults).toEqual([]);
  expect(shown.map(({ id, tests, gap }) => [id, tests.length, gap])).toEqual([
    ['W12', 1, undefined],
    ['W13', 1, undefined],
    ['W14', 0, 'No test shows it.'],
  ]);
});

test.each([
  ['a rule without a test or a gap', row('W13', 'a.test.ts', 'says'), 'W14 has neither'],
  [
    'a test that is renamed',
    `${row('W13', 'a.test.ts', 'is gone')}| W14 | – |\n`,
    'a.test.ts has no test "is gone"',
  ],
  ['a file that is gone', `${row('W13', 'b.test.ts', 'says')}| W14 | – |\n`, 'b.test.ts has no test'],
  [
    'a rule that is gone',
    `${row('W13', 'a.test.ts', 'says')}| W14 | – |\n| ${GONE} | – |\n`,
    `${GONE} is no rule`,
  ],
])('%s is a fault', (_, list, fault) => {
  const { faults } = productTests(page, list, files);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
});
