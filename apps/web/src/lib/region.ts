import { languages } from '@fixpoint/contract/languages.ts';
import { shownLanguage } from './language.ts';
import { hasText, type TextKey, translate } from './texts.ts';

/** How a region is called: the text `region.<id>` where there is one, else the operator's own name for it. */
export function regionName(region: { id: string; name: string }): string {
  const key = `region.${region.id}`;
  return hasText(key) ? translate(key as TextKey) : region.name;
}

/**
 * The country of a region in the language on the screen; undefined where it says nothing new (Singapore) or the browser
 * does not know that language.
 */
export function countryName(region: { id: string; name: string; country: string }): string | undefined {
  const { tag } = languages[shownLanguage.get()];
  if (Intl.DisplayNames.supportedLocalesOf([tag]).length === 0) return undefined;
  const name = new Intl.DisplayNames([tag], { type: 'region' }).of(region.country);
  return name === regionName(region) ? undefined : name;
}
