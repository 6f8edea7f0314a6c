import type { Language } from '@fixpoint/contract/languages.ts';

/**
 * Texts that a date needs: month names and the order of its parts, such as `month.11` or
 * `date.day`.
 */
export type DateText = (key: DateKey, values?: Record<string, string>) => string;
export type DateKey = `month.${number}` | 'date.day' | 'date.month' | 'date.time' | 'months.short';

/*
 * Shared by pages, emails and invoices. Names and order of dates are texts rather than `Intl`: Chromium lacks Khmer, Lao and
 * Burmese dates, and the output of `Intl` changes with the version of the browser.
 */

/** Bangkok has no daylight saving time. */
const BANGKOK_MS = 7 * 60 * 60 * 1000;
const inBangkok = (instant: Date): Date => new Date(instant.getTime() + BANGKOK_MS);

/** Gregorian day in Bangkok, `November 21, 2026` in the language's own order. */
export function formatDate(say: DateText, instant: Date): string {
  const at = inBangkok(instant);
  return say('date.day', {
    day: String(at.getUTCDate()),
    month: say(`month.${at.getUTCMonth() + 1}`),
    year: String(at.getUTCFullYear()),
  });
}

/** The same for tables, with the month as it is abbreviated: `Nov 21, 2026`. */
export function formatShortDate(say: DateText, instant: Date): string {
  const at = inBangkok(instant);
  const month = say('months.short').split('|')[at.getUTCMonth()]!;
  return say('date.day', { day: String(at.getUTCDate()), month, year: String(at.getUTCFullYear()) });
}

/** A month such as `2026-11`: `November 2026` in the language's own order. */
export function formatMonth(say: DateText, month: string): string {
  const [year = '', number = ''] = month.split('-');
  return say('date.month', { month: say(`month.${Number(number)}`), year });
}

/** Day and time in Bangkok with the time zone: `November 21, 2026, 03:05 GMT+7`. */
export function formatDateTime(say: DateText, instant: Date): string {
  return say('date.time', { date: formatDate(say, instant), time: formatTime(instant, 'minute') });
}

/** Time of day in Bangkok with the time zone: `03:05 GMT+7`, `03:05:30 GMT+7`. */
export const formatTime = (instant: Date, to: 'minute' | 'second'): string =>
  `${inBangkok(instant)
    .toISOString()
    .slice(11, to === 'minute' ? 16 : 19)} GMT+7`;

/** The year in Bangkok, for the copyright line. */
export const bangkokYear = (instant: Date): string => String(inBangkok(instant).getUTCFullYear());

/** Languages that write 1.234,50. */
const commaLanguages: ReadonlySet<Language> = new Set<Language>(['vn', 'id', 'la']);
/** Positions of thousands separators. Hindi groups the last three digits, then pairs. */
const groupsOf = (language: Language): RegExp =>
  language === 'in' ? /\B(?=(\d{2})*\d{3}$)/g : /\B(?=(\d{3})+$)/g;

// Own implementation, because setting up `Intl` takes a phone longer than rendering the page with
// the prices.
const grouped = (decimal: string, language: Language): string => {
  const [thousands, point] = commaLanguages.has(language) ? ['.', ','] : [',', '.'];
  const [whole = '', fraction] = decimal.split('.');
  const groups = whole.replace(groupsOf(language), thousands);
  return fraction ? `${groups}${point}${fraction}` : groups;
};
const rounded = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/**
 * `THB 1,234.50`, `THB 1.234,50`: ISO code, Latin digits and 2 decimals in every language, with a
 * non-breaking space. The minus sign precedes everything, `−THB 50.00`.
 * @param minor integer hundredths
 */
export const formatMoney = (minor: number, currency: string, language: Language): string =>
  `${minor < 0 ? '−' : ''}${currency}\u00a0${grouped((Math.abs(minor) / 100).toFixed(2), language)}`;

/** `1,234,567.8` */
export const formatNumber = (value: number, language: Language): string =>
  grouped(rounded(value, 3), language);

/** A share of one, `7%`. */
export const formatPercent = (share: number, language: Language): string =>
  `${grouped(rounded(share * 100, 1), language)}%`;
