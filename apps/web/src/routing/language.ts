import {
  DEFAULT_LANGUAGE,
  isLanguage,
  type Language,
  languageFor,
  languageOrDefault,
} from '@fixpoint/contract/languages.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Cookie of the visitor's choice, kept for 365 days. */
const COOKIE = 'i18n_redirected';
const COOKIE_SECONDS = 365 * 24 * 60 * 60;

/**
 * Language of the texts on the screen. Changes when the texts of the address's language have
 * arrived.
 */
export const shownLanguage = createStore<Language>(DEFAULT_LANGUAGE);

export function rememberLanguage(language: Language) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax${secure}`;
}

export function rememberedLanguage(cookies: string): Language | undefined {
  const value = cookies.match(new RegExp(`(?:^|; )${COOKIE}=([a-z]{2})(?:;|$)`))?.[1];
  return isLanguage(value) ? value : undefined;
}

/**
 * Where to redirect a path without a valid language prefix, or with repeated slashes (joined links
 * have them, and no route matches them); undefined if it has neither. The remembered or the
 * browser's language counts on the root path only; every other path gets `en`.
 */
export function pathWithLanguage(
  given: string,
  cookies: string,
  preferred: readonly string[],
): string | undefined {
  const path = given.replace(/\/{2,}/g, '/');
  if (isLanguage(path.split('/')[1])) return path === given ? undefined : path;
  if (path === '' || path === '/') return `/${rememberedLanguage(cookies) ?? languageFor(preferred)}`;
  return `/${DEFAULT_LANGUAGE}${path}`;
}

/** The same path in another language. */
export const pathInLanguage = (path: string, language: Language): string =>
  path.replace(/^\/[^/]*/, `/${language}`);

/** The part of a path that names the screen, the same in every language. */
export const pathBelowLanguage = (path: string): string => path.replace(/^\/[^/]*/, '');

/** The language to start with, from the hash of the URL. */
export function languageOfAddress(fragment: string, cookies: string, preferred: readonly string[]): Language {
  const path = fragment.replace(/^#/, '').split(/[?#]/)[0] ?? '';
  const prefix = (pathWithLanguage(path, cookies, preferred) ?? path).split('/')[1];
  return languageOrDefault(prefix);
}
