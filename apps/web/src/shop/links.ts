import type { Language } from '@fixpoint/contract/languages.ts';
import { DEFAULT_LANGUAGE, isLanguage } from '@fixpoint/contract/languages.ts';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

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
 * The secret of a link (`?token=` in the fragment); empty when there is none. It leaves the address at once: it must not
 * stay in the history or be sent on with a copied link.
 */
export function useLinkToken(): string {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const params = useQueryParams();
  const [token] = useState(() => params.get('token') ?? '');
  useEffect(() => {
    if (search) navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  return token;
}
