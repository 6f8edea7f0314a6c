import { isLanguage, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { useLocation, useNavigate } from 'react-router';
import { pathInLanguage, rememberLanguage } from '../lib/language.ts';
import { useRouteLanguage } from '../lib/links.ts';

const options = languageCodes.map(code => ({
  value: code,
  label: languages[code].name,
  lang: languages[code].tag,
}));

/** The same screen in another language; the choice is remembered (spec section 4). */
export function useLanguageChoice() {
  const value = useRouteLanguage();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const onChange = (language: string) => {
    if (!isLanguage(language)) return;
    rememberLanguage(language);
    navigate({ pathname: pathInLanguage(pathname, language), search, hash }, { replace: true });
  };
  return { value, options, onChange };
}
