import { isLanguage, type Language, languageFor } from '@fixpoint/contract/languages.ts';

/**
 * Language of an Accept-Language header: BCP 47 tags, best first. One of the shop's own codes
 * (`kh`) counts where it stands alone: in a browser's list `my` is Burmese and `in` Indonesian.
 */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',')
    .map(part => part.split(';')[0]!.trim())
    .filter(Boolean);
  const [only] = wanted;
  return wanted.length === 1 && isLanguage(only) ? only : languageFor(wanted);
}
