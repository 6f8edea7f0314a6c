import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import type { Plugin } from 'vite';

const NAME = 'virtual:country-names';

/**
 * Provides `virtual:country-names`: names of countries, one chunk per language. Made at build time
 * with Node's `Intl`, because Chromium's lacks Khmer, Lao and Burmese and takes a phone 100 ms to
 * set up. The names come from CLDR (Unicode License V3).
 */
export function countryNamesPlugin(): Plugin {
  return {
    name: 'fixpoint-country-names',
    resolveId: id => (id.startsWith(NAME) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${NAME}`) return partsModule();
      const [, language] = id.split(`\0${NAME}/`);
      return language && `export const names = ${JSON.stringify(countryNames(language as Language))};\n`;
    },
  };
}

const partsModule = () =>
  `export const countryNames = {${languageCodes.map(each => `${each}: () => import('${NAME}/${each}')`)}};\n`;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap(first => letters.map(second => first + second));

/**
 * Names of all countries by their codes (ISO 3166-1). Throws if this Node.js does not support the
 * language.
 */
export function countryNames(language: Language): Record<string, string> {
  const { tag } = languages[language];
  if (Intl.DisplayNames.supportedLocalesOf([tag]).length === 0) {
    throw new Error(`This Node.js names no countries in ${tag}: build it with full ICU data.`);
  }
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' });
  // Current codes only: a former code would repeat the name of a country.
  const inUse = codes.filter(code => new Intl.Locale(`und-${code}`).region === code);
  return Object.fromEntries(inUse.map(code => [code, names.of(code)]).filter(([, name]) => name));
}
