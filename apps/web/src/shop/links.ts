import type { Language } from '@fixpoint/contract/languages.ts';
import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import { useEffect, useRef, useState } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';

/** Query parameters of the hash address. */
export const useQueryParams = (): URLSearchParams => new URLSearchParams(useLocation().search);

/** Language of the address. */
export function useRouteLanguage(): Language {
  return languageOrDefault(useLocation().pathname.split('/')[1]);
}

/** Path of a screen in the address's language, for `navigate`. */
export function usePath(): (path: string) => string {
  const language = useRouteLanguage();
  return path => `/${language}${path}`;
}

/** Path of a screen as the `href` of a plain link; the router follows the hash. */
export function useHref(): (path: string) => string {
  const language = useRouteLanguage();
  return path => `#/${language}${path}`;
}

/**
 * Redirects to another address, replacing this one. Once for each arrival, not once for each
 * address like the library's own: opening it again before the next screen renders would stay on an
 * empty page.
 */
export function Redirect({ to, state }: { to: To; state?: unknown }): null {
  const navigate = useNavigate();
  const arrival = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: redirects once per arrival
  useEffect(() => {
    const here = window.location.hash;
    const leave = () => void navigate(to, { replace: true, state });
    leave();
    // The router tells two arrivals by the same link apart by a key, which an opened link does not have.
    const arriveAgain = () => {
      if (window.location.hash === here) leave();
    };
    window.addEventListener('popstate', arriveAgain);
    return () => window.removeEventListener('popstate', arriveAgain);
  }, [arrival]);
  return null;
}

const LINK = 'link';
/** The secret of the link on the screen, and the history entry that shows it. */
type StoredLink = { entry: string; token: string; next?: string };
const clearLink = () => tabStore.remove(LINK);

/** A screen of the account area, and nothing that leads elsewhere. */
const SCREEN = /^[a-z][\w/-]*$/;

const linkOf = (token: string, params: URLSearchParams) => {
  const next = params.get('next') ?? '';
  return { token, next: SCREEN.test(next) ? next : '' };
};

/**
 * Secret of a link (`?token=` in the hash); empty if there is none. Removes it from the address at
 * once, so that it stays out of the history and of copied links. Stored in this tab while its
 * history entry is shown, for a reload; `forget` removes it once it is used up. `next` is the screen
 * of the account area that the link leads to; empty if none.
 */
export function useLinkToken(): { token: string; next: string; forget: () => void } {
  const navigate = useNavigate();
  const { pathname, search, key: entry } = useLocation();
  const params = useQueryParams();
  const given = params.get('token');
  const [{ token, next }, setLink] = useState(() => {
    const stored = readJson<StoredLink>(tabStore, LINK);
    if (given !== null) return linkOf(given, params);
    return stored?.entry === entry
      ? { token: stored.token, next: stored.next ?? '' }
      : { token: '', next: '' };
  });
  const used = useRef('');
  // A later link in the same window.
  if (given && given !== token) setLink(linkOf(given, params));
  useEffect(() => {
    if (search) navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  useEffect(() => {
    if (token && token !== used.current)
      tabStore.write(LINK, JSON.stringify({ entry, token, next } satisfies StoredLink));
    else clearLink();
    return clearLink;
  }, [entry, token, next]);
  const forget = () => {
    used.current = token;
    clearLink();
  };
  return { token, next, forget };
}
