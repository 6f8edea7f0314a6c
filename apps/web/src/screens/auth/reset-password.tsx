import { LinkButton } from '@fixpoint/ui/button.tsx';
import { FormActions } from '@fixpoint/ui/form.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import { useNavigate } from 'react-router';
import { FirstPassword } from '../../features/auth/first-password.tsx';
import { ResetPassword } from '../../features/auth/reset-password.tsx';
import { api } from '../../server/api.ts';
import { useHref, useLinkToken, usePath } from '../../shop/links.ts';
import { loginNotice } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';
import type { ForgotState } from './forgot-password.tsx';

/**
 * Sets a new password: with the token of an emailed link (`?token=` in the hash), or with an
 * emailed code.
 */
export function Screen() {
  const path = usePath();
  const navigate = useNavigate();
  const { token, next, forget } = useLinkToken();

  const goTo = (screen: string, state?: ForgotState) => navigate(path(screen), { replace: true, state });
  const goToLogin = (email: string) => {
    loginNotice.set({ text: 'login.passwordSet', email });
    goTo('/auth/login');
  };
  /** Opens what the email was about, else the customer's subscription if there is exactly one, else the overview. */
  const land = async () => {
    if (next) return goTo(`/management/${next}`);
    const bought = await api.subscription.mySubscription({ body: { size: 2 } }).catch(() => undefined);
    const [only, ...others] = bought?.items ?? [];
    goTo(only && others.length === 0 ? `/management/subscription/${only.id}` : '/management/dashboard');
  };
  if (token) {
    return (
      <FirstPassword
        key={token}
        token={token}
        dead={<DeadLink />}
        onSpent={forget}
        onLoggedIn={land}
        onSet={goToLogin}
      />
    );
  }
  return (
    <ResetPassword
      none={<DeadLink />}
      onSet={goToLogin}
      onAgain={email => goTo('/auth/forgot-password', { email })}
    />
  );
}

function DeadLink() {
  const t = useText();
  const href = useHref();
  return (
    <Section level={1} title={t('setPassword.invalid.title')} lead={t('setPassword.invalid.text')}>
      <FormActions>
        <LinkButton variant="primary" href={href('/auth/login')}>
          {t('setPassword.invalid.action')}
        </LinkButton>
        <LinkButton href={href('/auth/forgot-password')}>{t('setPassword.title')}</LinkButton>
      </FormActions>
    </Section>
  );
}
