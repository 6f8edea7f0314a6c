import { countryNames } from 'virtual:country-names';
import { DEFAULT_LANGUAGE } from '@fixpoint/contract/languages.ts';
import { loadOrFault } from '@fixpoint/ui/lib/chunk.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useQuery } from '@tanstack/react-query';
import { shownLanguage } from '../routing/language.ts';
import { regionName } from './region.ts';

/**
 * Names of countries in the language on the screen and in English. The operator's own names are
 * English; the spelling may differ between our texts and CLDR.
 */
function useNames() {
  const language = useStore(shownLanguage);
  const { data } = useQuery({
    queryKey: ['countryNames', language],
    queryFn: () => Promise.all([countryNames[language], countryNames[DEFAULT_LANGUAGE]].map(loadOrFault)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { names: data?.[0]?.names, english: data?.[1]?.names };
}

/** Names a country in the language on the screen; undefined until the names are loaded. */
export function useNameOfCountry() {
  const { names } = useNames();
  return (country: string): string | undefined => names?.[country];
}

/** All countries as options of a list, sorted by their name on the screen. */
export function useCountries(): { value: string; label: string }[] {
  const { names = {} } = useNames();
  return Object.entries(names)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}

/** Names the country of a region; undefined also if it repeats the region's name (Singapore). */
export function useCountryName() {
  const { names, english } = useNames();
  return (region: { id: string; name: string; country: string }): string | undefined => {
    const name = names?.[region.country];
    const saysNothing = name === regionName(region) || english?.[region.country] === region.name;
    return saysNothing ? undefined : name;
  };
}
