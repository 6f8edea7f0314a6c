import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { ThemeSwitch } from '@fixpoint/ui/theme-switch.tsx';
import { NameInPlace } from '../../forms/name-in-place.tsx';
import { api } from '../../server/api.ts';
import { useFormat } from '../../shop/format.ts';
import { useLanguageChoice } from '../../shop/language-choice.ts';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './profile.ts';
import { UserEmail } from './user-email.tsx';

/** The user's email address and name, and their language and theme. */
export function ProfileSection({ profile }: { profile: Profile }) {
  const t = useText();
  const { date } = useFormat();
  const language = useLanguageChoice();
  return (
    <Section title={t('account.profile')}>
      <Stack gap={6}>
        <SummaryList
          rows={[
            { term: t('login.email'), value: <UserEmail profile={profile} /> },
            {
              term: t('account.name'),
              value: (
                <NameInPlace
                  label={t('account.name')}
                  name={profile.name}
                  autoComplete="name"
                  save={name => api.account.setName({ body: { name } })}
                />
              ),
            },
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
          width="m"
          value={language.value}
          options={language.options}
          onChange={({ target }) => language.onChange(target.value)}
        />
      </Stack>
    </Section>
  );
}
