import { languageCodes } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { currentYear, formatDate, formatDateTime, formatMoney } from './format.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f\u200e\u200f]/g, ' ');

test('money has its code, Latin digits and 2 decimals in every language, also without minor units', () => {
  for (const language of languageCodes) {
    const shown = plain(formatMoney(language, 123_450, 'THB'));
    expect(shown).toContain('THB');
    expect(shown).toMatch(/1[.,]?234[.,]50(?!\d)/);
    expect(plain(formatMoney(language, 500_000, 'JPY'))).toMatch(/5[.,]?000[.,]00(?!\d)/);
  }
  expect(plain(formatMoney('en', 123_450, 'THB'))).toBe('THB 1,234.50');
});

test('dates are Gregorian days in Bangkok in every language', () => {
  for (const language of languageCodes) {
    // 18:00 UTC is already the next day in Bangkok.
    const shown = formatDate(language, '2026-12-31T18:00:00.000Z');
    expect(shown).toContain('2027');
    expect(shown).not.toContain('2570');
  }
  expect(formatDate('en', '2026-11-21T10:00:00.000Z')).toBe('November 21, 2026');
});

test('times say that they are Bangkok time', () => {
  expect(plain(formatDateTime('en', '2026-11-21T20:05:00.000Z'))).toMatch(/Nov 22, 2026, 03:05 GMT\+7/);
});

test('the year changes with Bangkok', () => {
  expect(currentYear(new Date('2026-12-31T17:00:00.000Z'))).toBe('2027');
});
