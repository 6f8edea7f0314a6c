import { expect, test } from 'vitest';
import { wordFaults } from './word-rules.ts';

test('a name with a retired word is refused, and the message has the current word', () => {
  const text = "const keyDuties = 1;\n// A duty, in a comment.\nconst says = 'papers';\nkept_answer();\n";
  expect(wordFaults('apps/api/src/x.ts', text)).toEqual([
    'apps/api/src/x.ts:1: keyDuties: say scheduled task',
    'apps/api/src/x.ts:4: kept_answer: say idempotency_record',
  ]);
});

test('file names are checked, and parts of other words are ignored', () => {
  expect(wordFaults('apps/api/src/papers.ts', 'const paperclip = heavyDutyfree;')).toEqual([
    "apps/api/src/papers.ts: the file's name: say document",
  ]);
});

test('the mail server of the sandbox may use its own words', () => {
  expect(wordFaults('apps/sandbox/src/mail/letters.ts', 'const letters = 1;')).toEqual([]);
});
