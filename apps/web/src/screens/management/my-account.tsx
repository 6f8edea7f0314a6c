import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useQuery } from '@tanstack/react-query';
import { afterEnd } from '../../features/account/after-end.ts';
import { AccountDataSection, DataSection } from '../../features/account/data-section.tsx';
import { EmailsSection } from '../../features/account/emails-section.tsx';
import { EndSection } from '../../features/account/end-section.tsx';
import { PasskeysSection } from '../../features/account/passkeys-section.tsx';
import { PasswordSection } from '../../features/account/password-section.tsx';
import type { Profile } from '../../features/account/profile.ts';
import { ProfileSection } from '../../features/account/profile-section.tsx';
import { SessionsSection } from '../../features/account/sessions-section.tsx';
import { TotpSection } from '../../features/account/totp-section.tsx';
import { LazyTeamSection } from '../../features/team/lazy-team-section.tsx';
import { peopleQuery } from '../../features/team/people.ts';
import { useProfile } from '../../server/profile.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** Whether the user gets emails that can be switched off: all of them go to owners and buyers. */
const getsChoices = ({ role, customers }: Profile) =>
  [{ role }, ...customers].some(customer => customer.role !== 'member');

/** Profile, emails, password, second factors, sessions, data, closing the account. */
export function Screen() {
  const t = useText();
  const { data: profile, error, refetch } = useProfile();
  const people = useQuery({ ...peopleQuery, enabled: profile?.role === 'owner' });
  const after = profile && afterEnd(profile.role, people.data?.people);
  return (
    <Page>
      <Stack gap={12}>
        <Section level={1} title={t('nav.account')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {!profile && !error && <Skeleton lines={6} label={t('app.loading')} />}
        </Section>
        {profile && (
          <>
            <ProfileSection profile={profile} />
            <LazyTeamSection profile={profile} />
            {getsChoices(profile) && (
              <EmailsSection profile={profile} shared={profile.role !== 'member' && after === 'goesOn'} />
            )}
            <PasswordSection email={profile.email} />
            <PasskeysSection />
            <TotpSection profile={profile} />
            <SessionsSection />
            <DataSection />
            {profile.role === 'owner' && profile.customerId !== profile.id && <AccountDataSection />}
            <EndSection profile={profile} after={after} />
          </>
        )}
      </Stack>
    </Page>
  );
}
