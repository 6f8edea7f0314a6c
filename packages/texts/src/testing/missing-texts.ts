import { DEFAULT_LANGUAGE, type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import type { Bundle } from '../bundles.ts';

/** Missing and surplus texts of each language with their keys: a failure lists what to write. */
export function missingTexts(texts: Record<Language, Bundle>): string[] {
  const english = texts[DEFAULT_LANGUAGE];
  return languageCodes.flatMap(language => [
    ...Object.keys(english)
      .filter(key => !texts[language][key]?.trim())
      .map(key => `${language} lacks ${key}`),
    ...Object.keys(texts[language])
      .filter(key => !(key in english))
      .map(key => `${language} has ${key}, which ${DEFAULT_LANGUAGE} has not`),
  ]);
}
