import { expect, test } from 'vitest';
import { wordFaults } from './word-rules.ts';

test('a name with a word that went is refused, with the word of today', () => {
  const text = "const keyDuties = 1;\n// A duty, in a comment.\nconst says = 'papers';\nkept_answer();\n";
  expect(wordFaults('apps/api/src/x.ts', text)).toEqual([
    'apps/api/src/x.ts:1: keyDuties: say scheduled task',
    'apps/api/src/x.ts:4: kept_answer: say idempotency_record',
  ]);
});

test('a file name counts, and a part of another word does not', () => {
  expect(wordFaults('apps/api/src/papers.ts', 'const paperclip = heavyDutyfree;')).toEqual([
    "apps/api/src/papers.ts: the file's name: say document",
  ]);
});

test('the mail server of the sandbox keeps its letters', () => {
  expect(wordFaults('apps/sandbox/src/mail/letters.ts', 'const letters = 1;')).toEqual([]);
});
