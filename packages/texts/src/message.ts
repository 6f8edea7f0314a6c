import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { IntlMessageFormat } from 'intl-messageformat';

const parsed = new Map<string, IntlMessageFormat>();

/** An ICU message with its values, digits in Latin. Throws where the message names a value that is not given. */
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
