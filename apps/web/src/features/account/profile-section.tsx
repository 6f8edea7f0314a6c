import { isLanguage, type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { pathInLanguage, rememberLanguage } from '../../lib/language.ts';
import { queryClient } from '../../lib/query.ts';
import { useText } from '../../lib/texts.ts';
import { Section, Stack } from '../../ui/layout.tsx';
import { Select } from '../../ui/select.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import { ThemeSwitch } from '../../ui/theme-switch.tsx';
import type { Profile } from './profile.ts';

/** Who is logged in, and how pages and mails look to him. */
export function ProfileSection({ profile }: { profile: Profile }) {
  const t = useText();
  const { date } = useFormat();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const choose = useMutation({
    mutationFn: (language: Language) => api.account.setLanguage({ body: { language } }),
    onSuccess: (_, language) => {
      rememberLanguage(language);
      navigate(pathInLanguage(pathname, language));
      return queryClient.invalidateQueries({ queryKey: ['profile'] });
    },
  });
  return (
    <Section title={t('account.profile')}>
      <Stack gap={6}>
        <SummaryList
          rows={[
            { term: t('login.email'), value: profile.email },
            { term: t('account.since'), value: date(profile.createdAt) },
            {
              term: t('nav.theme'),
              value: (
                <ThemeSwitch
                  labels={{
                    group: t('nav.theme'),
                    system: t('nav.theme.system'),
                    light: t('nav.theme.light'),
                    dark: t('nav.theme.dark'),
                  }}
                />
              ),
            },
          ]}
        />
        <Select
          label={t('nav.language')}
          hint={t('account.language.hint')}
          value={choose.isPending ? choose.variables : profile.language}
          options={languageCodes.map(code => ({ value: code, label: languages[code].name }))}
          onChange={({ target }) => isLanguage(target.value) && choose.mutate(target.value)}
        />
      </Stack>
    </Section>
  );
}
