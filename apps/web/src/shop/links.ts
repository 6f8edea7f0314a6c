import type { Language } from '@fixpoint/contract/languages.ts';
import { DEFAULT_LANGUAGE, isLanguage } from '@fixpoint/contract/languages.ts';
import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import { useEffect, useRef, useState } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';

/** What the address asks for after its `?`. */
export const useQueryParams = (): URLSearchParams => new URLSearchParams(useLocation().search);

/** The language that the address names. */
export function useRouteLanguage(): Language {
  const prefix = useLocation().pathname.split('/')[1];
  return isLanguage(prefix) ? prefix : DEFAULT_LANGUAGE;
}

/** Path of a screen in the address's language, for `navigate`. */
export function usePath(): (path: string) => string {
  const language = useRouteLanguage();
  return path => `/${language}${path}`;
}

/** The same as the `href` of a plain link: the router follows the hash by itself. */
export function useHref(): (path: string) => string {
  const language = useRouteLanguage();
  return path => `#/${language}${path}`;
}

/**
 * Leads on to another address, which takes the place of this one. Once for each arrival, not once for each address as the
 * library's own: who opens it again before the next screen is drawn would stay on an empty page.
 */
export function Redirect({ to, state }: { to: To; state?: unknown }): null {
  const navigate = useNavigate();
  const arrival = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival is led on once
  useEffect(() => void navigate(to, { replace: true, state }), [arrival]);
  return null;
}

const LINK = 'link';
/** The secret of the link that is shown, and the entry of the history that it is shown at. */
type KeptLink = { entry: string; token: string };
const drop = () => tabStore.remove(LINK);

/**
 * The secret of a link (`?token=` in the fragment); empty when there is none. It leaves the address at once: it must not
 * stay in the history or be sent on with a copied link. While its screen is shown this tab keeps it, for a page that the
 * browser drops and loads again; `forget` ends that when it is spent. Whoever comes to the screen in another way comes by
 * another entry of the history, and without it.
 */
export function useLinkToken(): { token: string; forget: () => void } {
  const navigate = useNavigate();
  const { pathname, search, key: entry } = useLocation();
  const given = useQueryParams().get('token');
  const [token, setToken] = useState(() => {
    const kept = readJson<KeptLink>(tabStore, LINK);
    return given ?? (kept?.entry === entry ? kept.token : '');
  });
  const spent = useRef('');
  // A later link in the same window.
  if (given && given !== token) setToken(given);
  useEffect(() => {
    if (search) navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  useEffect(() => {
    if (token && token !== spent.current)
      tabStore.write(LINK, JSON.stringify({ entry, token } satisfies KeptLink));
    else drop();
    return drop;
  }, [entry, token]);
  const forget = () => {
    spent.current = token;
    drop();
  };
  return { token, forget };
}
