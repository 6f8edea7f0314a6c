import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  // Codes of earlier standards, which Java and old phones send.
  ['in-ID', 'id'],
  ['in-ID,in;q=0.8,en;q=0.5', 'id'],
  ['tl-PH', 'ph'],
  // Tags that look like codes of the shop.
  ['my-MM,my;q=0.9,en;q=0.8', 'mm'],
  ['ms-MY,ms;q=0.9', 'my'],
  ['hi-IN,hi;q=0.9,en;q=0.8', 'in'],
  ['id-ID,id;q=0.9', 'id'],
  ['la,th;q=0.5', 'th'],
  ['zh-TW,zh;q=0.9', 'cn'],
  ['xx, ,;q=1', 'en'],
  [undefined, 'en'],
] as const)('BG12 Accept-Language %s is %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test('a code of the shop alone, and each tag of its own, name its language', () => {
  for (const code of languageCodes) {
    expect(languageOf(code)).toBe(code);
    expect(languageOf(`${languages[code].tag},en;q=0.5`)).toBe(code);
  }
});
