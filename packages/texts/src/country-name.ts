import { type Language, languages } from '@fixpoint/contract/languages.ts';

/**
 * Name of a country in a language (CLDR), for documents; the code itself where it has none.
 * @param country ISO 3166 code
 */
export const countryName = (country: string, language: Language): string =>
  new Intl.DisplayNames([languages[language].tag], { type: 'region' }).of(country) ?? country;
