import { expect, test } from 'vitest';
import { faultsOfDecisions } from './decision-rules.ts';

const record = `# 7. Tokens are opaque

Status: accepted

Date: 2026-11-21

## Context

## Decision

## Consequences
`;
const index = '| [7](0007-tokens.md) | Tokens are opaque | accepted | 2026-11-21 |\n';
const faultsOf = (text: string, name = '0007-tokens.md', list = index): string[] =>
  faultsOfDecisions(new Map([[name, text]]), list);

test('a record of the template that the index lists has no fault', () => {
  expect(faultsOf(record)).toEqual([]);
});

test.each([
  ['no status', record.replace('Status: accepted\n', '')],
  ['another status', record.replace('accepted', 'proposed')],
  ['no date', record.replace('Date: 2026-11-21\n', '')],
  ['a section is missing', record.replace('## Consequences\n', '')],
  ['a section too many', `${record}\n## History\n`],
  ['longer than a page', record + 'more\n'.repeat(60)],
])('%s is a fault', (_, text) => {
  expect(faultsOf(text)).toHaveLength(1);
});

test('another number than its file, or another line in the index, is a fault', () => {
  expect(faultsOf(record, '0008-tokens.md')).toHaveLength(2);
  expect(faultsOf(record, '0007-tokens.md', index.replace('accepted', 'superseded by 0009'))).toHaveLength(1);
});
