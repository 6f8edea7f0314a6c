import { type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { loadBundle } from './bundles.ts';
import {
  bangkokYear,
  type DateText,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatPercent,
  formatTime,
} from './format.ts';

const say =
  (language: Language): DateText =>
  (key, values = {}) =>
    loadBundle(language)[key]!.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('money has its code, Latin digits and 2 decimals, even if the currency has no minor units', () => {
  expect(plain(formatMoney(123_450, 'THB', 'en'))).toBe('THB 1,234.50');
  expect(plain(formatMoney(500_000, 'JPY', 'en'))).toBe('JPY 5,000.00');
  expect(plain(formatMoney(-123_450, 'THB', 'en'))).toBe('−THB 1,234.50');
  expect(formatNumber(1_234_567.8, 'en')).toBe('1,234,567.8');
});

test('U51 an amount uses the separators of its language', () => {
  const shown = Object.fromEntries(
    languageCodes.map(code => [code, plain(formatMoney(123_456_789, 'THB', code))]),
  );
  const usual = 'THB 1,234,567.89';
  const swapped = 'THB 1.234.567,89';
  expect(shown).toEqual({
    th: usual,
    en: usual,
    cn: usual,
    kh: usual,
    mm: usual,
    my: usual,
    ph: usual,
    kr: usual,
    jp: usual,
    in: 'THB 12,34,567.89',
    la: swapped,
    vn: swapped,
    id: swapped,
  });
  expect(
    ['1', '12', '123', '1234', '12345', '123456'].map(n => formatNumber(Number(n), 'in')).join(' '),
  ).toBe('1 12 123 1,234 12,345 1,23,456');
  expect(formatPercent(0.125, 'id')).toBe('12,5%');
});

test('a day is Gregorian, in Bangkok, with the names and order of its language', () => {
  // 18:00 UTC is already the next day in Bangkok.
  const instant = new Date('2026-11-20T18:00:00.000Z');
  const shown = Object.fromEntries(languageCodes.map(code => [code, formatDate(say(code), instant)]));
  expect(shown).toEqual({
    en: 'November 21, 2026',
    th: '21 พฤศจิกายน 2026',
    cn: '2026年11月21日',
    kh: '21 វិច្ឆិកា 2026',
    la: '21 ພະຈິກ 2026',
    vn: '21 tháng 11, 2026',
    id: '21 November 2026',
    my: '21 November 2026',
    mm: '2026 ခုနှစ် နိုဝင်ဘာလ 21 ရက်',
    ph: 'Nobyembre 21, 2026',
    kr: '2026년 11월 21일',
    in: '21 नवंबर 2026',
    jp: '2026年11月21日',
  });
});

test('U42 a time names the time zone of Bangkok', () => {
  const instant = new Date('2026-11-21T20:05:00.000Z');
  expect(formatDateTime(say('en'), instant)).toBe('November 22, 2026, 03:05 GMT+7');
  for (const code of languageCodes) expect(formatDateTime(say(code), instant)).toContain('03:05 GMT+7');
  expect(formatTime(instant, 'second')).toBe('03:05:00 GMT+7');
});

test('every language has twelve months', () => {
  for (const code of languageCodes) {
    const names = Array.from({ length: 12 }, (_, month) => say(code)(`month.${month + 1}`));
    expect(new Set(names).size, code).toBe(12);
  }
});

test('the year changes at midnight in Bangkok', () => {
  expect(bangkokYear(new Date('2026-12-31T17:00:00.000Z'))).toBe('2027');
});
