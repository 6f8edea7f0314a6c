/** Made by `build/country-names.ts`. */
declare module 'virtual:country-names' {
  import type { Language } from '@fixpoint/contract/languages.ts';

  /** By the codes of ISO 3166-1. */
  export type CountryNames = Readonly<Record<string, string>>;
  export const countryNames: Record<Language, () => Promise<{ names: CountryNames }>>;
}
