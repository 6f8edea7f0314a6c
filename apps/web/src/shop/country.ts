import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { bring } from '../lib/chunk.ts';
import { shownLanguage } from '../lib/language.ts';
import { useStore } from '../lib/store.ts';
import { regionName } from './region.ts';

type Names = Readonly<Record<string, string>>;

/** For browsers whose `Intl` does not know these languages: Chromium leaves them out. See countries/README.md. */
const ownNames: Partial<Record<Language, () => Promise<{ default: Names }>>> = {
  kh: () => import('./countries/km.json'),
  la: () => import('./countries/lo.json'),
  mm: () => import('./countries/my.json'),
};

/** The operator's own names are English; spellings of the same name may differ between our texts and CLDR. */
const english = new Intl.DisplayNames(['en'], { type: 'region' });
const browserKnows = (tag: string) => Intl.DisplayNames.supportedLocalesOf([tag]).length > 0;

/**
 * Names the country of a region in the language on the screen; undefined where it says nothing new (Singapore), and
 * until names that the browser lacks have arrived.
 */
export function useCountryName() {
  const language = useStore(shownLanguage);
  const { tag } = languages[language];
  const own = browserKnows(tag) ? undefined : ownNames[language];
  const { data: names } = useQuery({
    queryKey: ['countryNames', language],
    queryFn: async () => (await bring(own!)).default,
    enabled: own !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (region: { id: string; name: string; country: string }): string | undefined => {
    const name = own
      ? names?.[region.country]
      : new Intl.DisplayNames([tag], { type: 'region' }).of(region.country);
    const saysNothing = name === regionName(region) || english.of(region.country) === region.name;
    return saysNothing ? undefined : name;
  };
}
