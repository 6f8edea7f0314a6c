import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { loadBundle } from './bundles.ts';
import { joinWords } from './word-joiners.ts';

const JOINER = '\u2060';

/** Word segments of browsers, split at joiners; lines break between them. */
function wordsOf(language: Language, text: string): string[] {
  const segmenter = new Intl.Segmenter(languages[language].tag, { granularity: 'word' });
  return text
    .split(JOINER)
    .flatMap(run => [...Array.from(segmenter.segment(run), ({ segment }) => segment), JOINER]);
}

const isLetter = (character = ''): boolean => /[\p{L}\p{M}]/u.test(character);

/** Line breaks that a reader would not make. */
const wrongBreaks = (
  language: Language,
  isWrong: (before: string, after: string, next: string) => boolean,
): string[] => {
  const found = new Set<string>();
  for (const text of Object.values(loadBundle(language))) {
    const words = wordsOf(language, text);
    words.forEach((after, index) => {
      const [before = '', next = ''] = [words[index - 1], words[index + 1]];
      if (isLetter(before.at(-1)) && isLetter(after[0]) && isWrong(before, after, next))
        found.add(`${words[index - 2] ?? ''}|${before}|${after}|${next}`);
    });
  }
  return [...found];
};

test('U53 no line of Burmese begins with the end of a syllable or of a noun', () => {
  expect(wrongBreaks('mm', (_, after) => /^([က-အ]့?်|\p{M}|မှု)/u.test(after))).toEqual([]);
});

test('U53 no line of Burmese ends with the “not” of the following verb', () => {
  expect(wrongBreaks('mm', before => before === 'မ')).toEqual([]);
});

test.each(['th', 'la'] as const)('U53 no line of %s begins with the last letter of a torn word', language => {
  const ends = (after: string, next: string) => /^\p{L}$/u.test(after) && next !== JOINER;
  expect(wrongBreaks(language, (_, after, next) => ends(after, next))).toEqual([]);
});

test('U53 no line of Thai begins with silent letters, or ends within a word that browsers split', () => {
  expect(wrongBreaks('th', (_, after) => /^[ก-ฮ]{1,2}[ิุ]?์/u.test(after))).toEqual([]);
  const torn = /^(จระ|การก|ผลก|มีน|ดูรา|แล้วก|ขอบ|แช|วอลเล็|มิ)$/u;
  expect(wrongBreaks('th', (before, after) => torn.test(before) && after !== JOINER)).toEqual([]);
});

test('a language with spaces between words stays unchanged', () => {
  expect(joinWords('id', 'Akun saya')).toBe('Akun saya');
});
