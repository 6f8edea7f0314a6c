import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { IntlMessageFormat } from 'intl-messageformat';

const parsed = new Map<string, IntlMessageFormat>();

/** Formats an ICU message with Latin digits. @throws if a value is missing */
export function fillMessage(
  message: string,
  language: Language,
  values: Record<string, string | number> = {},
): string {
  const key = `${language} ${message}`;
  const format =
    parsed.get(key) ??
    new IntlMessageFormat(message, `${languages[language].tag}-u-nu-latn`, undefined, { ignoreTag: true });
  parsed.set(key, format);
  return String(format.format(values));
}
