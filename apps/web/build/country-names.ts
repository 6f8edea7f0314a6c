import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import type { Plugin } from 'vite';

const NAME = 'virtual:country-names';

/**
 * `virtual:country-names`: what countries are called, a part for each language. Written by the `Intl` of the program that
 * builds: Chromium's own has no Khmer, Lao and Burmese, and to set it up holds a phone for 100 ms.
 * The names are Unicode's (CLDR, Unicode License V3).
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

/** The names of all countries by their codes (ISO 3166-1). Throws where this program does not know the language. */
export function countryNames(language: Language): Record<string, string> {
  const { tag } = languages[language];
  if (Intl.DisplayNames.supportedLocalesOf([tag]).length === 0) {
    throw new Error(`This Node.js names no countries in ${tag}: it was built without languages.`);
  }
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' });
  // Codes that are in use: an old one has the name of a country that there is.
  const inUse = codes.filter(code => new Intl.Locale(`und-${code}`).region === code);
  return Object.fromEntries(inUse.map(code => [code, names.of(code)]).filter(([, name]) => name));
}
