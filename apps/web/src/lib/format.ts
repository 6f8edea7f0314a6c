import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { shownLanguage } from './language.ts';
import { useStore } from './store.ts';

/**
 * The only module that touches `Intl`: Gregorian calendar and Latin digits in every language (Thai would show the
 * Buddhist year), times in Bangkok (spec section 1) and saying so.
 */
const locale = (language: Language) => `${languages[language].tag}-u-ca-gregory-nu-latn`;
const zone = { timeZone: 'Asia/Bangkok', hourCycle: 'h23' } as const;

/** Formatters are costly to make and few: one for each language and set of options. */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function reuse<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const format = (made.get(key) as F | undefined) ?? make();
  made.set(key, format);
  return format;
}

/** Money with its ISO code and 2 decimals always (spec section 5). @param minor integer hundredths */
export function formatMoney(language: Language, minor: number, currency: string): string {
  const options = {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  } as const;
  const format = reuse(`${language} ${currency}`, () => new Intl.NumberFormat(locale(language), options));
  return format.format(minor / 100);
}

/** Day in Bangkok, `21 November 2026` in the language's own order. @param instant ISO 8601, UTC */
export function formatDate(language: Language, instant: string): string {
  const options = { ...zone, day: 'numeric', month: 'long', year: 'numeric' } as const;
  return reuse(`${language} date`, () => new Intl.DateTimeFormat(locale(language), options)).format(
    new Date(instant),
  );
}

/** Day and time in Bangkok with `GMT+7`. @param instant ISO 8601, UTC */
export function formatDateTime(language: Language, instant: string): string {
  const options = {
    ...zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const;
  return reuse(`${language} time`, () => new Intl.DateTimeFormat(locale(language), options)).format(
    new Date(instant),
  );
}

const formatNumber = (language: Language, value: number): string =>
  reuse(`${language} number`, () => new Intl.NumberFormat(locale(language))).format(value);

/** A share of one, `7%`. */
const formatPercent = (language: Language, share: number): string =>
  reuse(
    `${language} percent`,
    () => new Intl.NumberFormat(locale(language), { style: 'percent', maximumFractionDigits: 1 }),
  ).format(share);

/** The year in Bangkok, for the copyright line. */
export const currentYear = (now = new Date()): string =>
  String(new Date(now.getTime() + 7 * 60 * 60 * 1000).getUTCFullYear());

/** The formatters in the language on the screen. */
export function useFormat() {
  const language = useStore(shownLanguage);
  return {
    money: (minor: number, currency: string) => formatMoney(language, minor, currency),
    date: (instant: string) => formatDate(language, instant),
    dateTime: (instant: string) => formatDateTime(language, instant),
    number: (value: number) => formatNumber(language, value),
    percent: (share: number) => formatPercent(language, share),
  };
}
