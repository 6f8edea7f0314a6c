import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { FormActions } from '@fixpoint/ui/form.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api, session } from '../../server/api.ts';
import { useProfile } from '../../server/profile.ts';
import { useLoggedIn } from '../../server/shop-state.ts';
import { useHref, useLinkToken, usePath } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { typedEmail, wantedScreen } from '../../shop/login-notice.ts';
import { workFor } from '../../shop/switch-customer.ts';
import { useText } from '../../shop/texts.ts';
import { JoinForm } from './join-form.tsx';

/**
 * Accepts an invitation by the link of an email: whoever has a log-in logs in, anybody else sets a
 * password.
 */
export function JoinTeam({ documents, onJoined }: { documents: ReactNode; onJoined: () => void }) {
  const t = useText();
  const { token, forget } = useLinkToken();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.team.getInvitation({ bearer: token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, error } = invitation;
  const me = useProfile().data?.email;
  const isOver = token === '' || codeOf(error) === '8003';
  const end = () => {
    forget();
    onJoined();
  };
  return (
    <Section level={1} title={t('team.join.title')} lead={data && t('team.join.text', { name: data.name })}>
      {isOver && <Alert type="info">{t('team.join.over')}</Alert>}
      {!isOver && error && <LoadError error={error} onRetry={invitation.refetch} />}
      {!isOver && invitation.isPending && <Skeleton lines={3} label={t('app.loading')} />}
      {data && !isOver && (
        <Stack gap={6}>
          <p>
            <strong>{t(`team.role.${data.role}`)}</strong>
            <br />
            <span>{t(`team.role.${data.role}.text`)}</span>
          </p>
          {me && me !== data.email ? (
            <OtherUser email={data.email} me={me} token={token} />
          ) : data.hasLogin ? (
            <Join email={data.email} token={token} onJoined={end} />
          ) : (
            <JoinForm email={data.email} token={token} documents={documents} onJoined={end} />
          )}
        </Stack>
      )}
    </Section>
  );
}

/** Says that somebody else is logged in. Nothing changes until they log out, which leads back to the invitation. */
function OtherUser({ email, me, token }: { email: string; me: string; token: string }) {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  const logOut = useAction(async () => {
    await api.auth.logout({ body: {} });
    session.logOut();
    // The end of the session has led to the login page.
    navigate(path(`/invitation?token=${token}`), { replace: true });
  });
  return (
    <Alert
      type="warning"
      action={
        <Button busy={logOut.busy} onClick={() => logOut.run()}>
          {t('nav.logout')}
        </Button>
      }
    >
      {t('team.join.otherEmail', { email, me })}
    </Alert>
  );
}

/** One press for the logged-in user of the address. */
function Join({ email, token, onJoined }: { email: string; token: string; onJoined: () => void }) {
  const t = useText();
  const href = useHref();
  const loggedIn = useLoggedIn();
  const profile = useProfile();
  const join = useAction(async () => {
    const { customerId } = await api.team.joinTeam({ body: { invitation: token } });
    await workFor(customerId);
    onJoined();
  });
  if (!loggedIn)
    return (
      <>
        <p>{t('team.join.login', { email })}</p>
        <FormActions>
          <LinkButton
            variant="primary"
            href={href('/auth/login')}
            onClick={() => {
              typedEmail.set(email);
              wantedScreen.set(`/en/invitation?token=${token}`);
            }}
          >
            {t('nav.login')}
          </LinkButton>
        </FormActions>
      </>
    );
  if (!profile.data) return <Skeleton lines={2} label={t('app.loading')} />;
  return (
    <>
      {join.error !== undefined && <Problem error={join.error} />}
      <p>
        <Button variant="primary" busy={join.busy} onClick={() => join.run()}>
          {t('team.join.submit')}
        </Button>
      </p>
    </>
  );
}
