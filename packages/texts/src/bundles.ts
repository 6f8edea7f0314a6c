import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { DEFAULT_LANGUAGE, type Language } from '@fixpoint/contract/languages.ts';

export type Bundle = Readonly<Record<string, string>>;

const bundles = new Map<Language, Bundle>();

/** The texts of a language (ICU messages by key), read once. Keys that are not translated yet are English. */
export function loadBundle(language: Language): Bundle {
  const known = bundles.get(language);
  if (known) return known;
  const bundle: Bundle =
    language === DEFAULT_LANGUAGE
      ? readBundle(language)
      : { ...loadBundle(DEFAULT_LANGUAGE), ...readBundle(language) };
  bundles.set(language, bundle);
  return bundle;
}

/** Changes whenever a text of the language does: the web client then fetches it again (spec section 1). */
export const bundleVersion = (language: Language): string =>
  createHash('sha256')
    .update(JSON.stringify(loadBundle(language)))
    .digest('base64url')
    .slice(0, 16);

function readBundle(language: Language): Bundle {
  const file = new URL(`./bundles/${language}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
