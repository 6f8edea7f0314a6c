import {
  type DateText,
  formatDate,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShortDate,
} from '@fixpoint/texts/format.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { shownLanguage } from '../routing/language.ts';
import { type TextKey, useText } from './texts.ts';

/** Formatters in the language on the screen. Instants are ISO 8601, UTC; money is in hundredths. */
export function useFormat() {
  const t = useText();
  const language = useStore(shownLanguage);
  const say: DateText = (key, values) => t(key as TextKey, values);
  return {
    money: (minor: number, currency: string) => formatMoney(minor, currency, language),
    date: (instant: string) => formatDate(say, new Date(instant)),
    shortDate: (instant: string) => formatShortDate(say, new Date(instant)),
    /** A date of the server in Bangkok time, `2026-11-21`. */
    day: (date: string) => formatDate(say, new Date(`${date}T00:00:00+07:00`)),
    /** A month of the server, `2026-11`. */
    month: (month: string) => formatMonth(say, month),
    dateTime: (instant: string) => formatDateTime(say, new Date(instant)),
    number: (value: number) => formatNumber(value, language),
    percent: (share: number) => formatPercent(share, language),
  };
}
