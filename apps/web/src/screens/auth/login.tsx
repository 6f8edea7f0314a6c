import { useLocation, useNavigate } from 'react-router';
import { LoginForm } from '../../features/auth/login-form.tsx';
import { useHref, usePath } from '../../lib/links.ts';
import { type TextKey, useText } from '../../lib/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Section, Stack } from '../../ui/layout.tsx';

/** What other screens tell this one: where the visitor wanted to go, an address to log in with, what has just been done. */
export type LoginState = { from?: string; email?: string; notice?: TextKey };

export function Screen() {
  const t = useText();
  const path = usePath();
  const href = useHref();
  const navigate = useNavigate();
  const { from, email, notice } = (useLocation().state ?? {}) as LoginState;
  return (
    <Section level={1} title={t('login.title')}>
      <Stack gap={6}>
        {notice && <Alert type="success">{t(notice)}</Alert>}
        {from && !notice && <Alert type="info">{t('login.over')}</Alert>}
        <LoginForm
          email={email ?? ''}
          forgotHref={href('/auth/forgot-password')}
          onLoggedIn={() => navigate(from ?? path('/management/subscription'), { replace: true })}
        />
        <p>
          {t('login.new')} <a href={href('/auth/sign-up')}>{t('signUp.title')}</a>
        </p>
      </Stack>
    </Section>
  );
}
