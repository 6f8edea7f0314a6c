import { isLanguage, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { useLocation, useNavigate } from 'react-router';
import { pathInLanguage, rememberedLanguage, rememberLanguage, shownLanguage } from '../routing/language.ts';
import { api, session } from '../server/api.ts';
import { profileQuery } from '../server/profile.ts';
import { queryClient } from '../server/query.ts';
import { useRouteLanguage } from './links.ts';
import { showError } from './snack.ts';

const options = languageCodes.map(code => ({
  value: code,
  label: languages[code].name,
  lang: languages[code].tag,
}));

/**
 * Switches the language of the screen. The choice is stored in this browser, and as the language of
 * a customer's emails.
 */
export function useLanguageChoice() {
  const value = useRouteLanguage();
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const onChange = (language: string) => {
    if (!isLanguage(language)) return;
    rememberLanguage(language);
    if (session.token.get()) api.account.setLanguage({ body: { language } }).catch(showError);
    navigate({ pathname: pathInLanguage(pathname, language), search, hash }, { replace: true, state });
  };
  return { value, options, onChange };
}

/**
 * After a login: stores the language chosen in this browser as the language of the customer's
 * emails.
 */
export async function saveChosenLanguage(): Promise<void> {
  const language = rememberedLanguage(document.cookie);
  if (!language || language !== shownLanguage.get()) return;
  const profile = await queryClient.fetchQuery(profileQuery);
  if (profile.language !== language) await api.account.setLanguage({ body: { language } });
}
