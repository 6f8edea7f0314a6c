import { useLocation, useNavigate } from 'react-router';
import { LoginForm } from '../../features/auth/login-form.tsx';
import { useHref, usePath } from '../../lib/links.ts';
import { useText } from '../../lib/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Section, Stack } from '../../ui/layout.tsx';

/** What other screens tell this one: where the visitor wanted to go, or the address whose password was just set. */
export type LoginState = { from?: string; email?: string };

export function Screen() {
  const t = useText();
  const path = usePath();
  const href = useHref();
  const navigate = useNavigate();
  const { from, email } = (useLocation().state ?? {}) as LoginState;
  return (
    <Section level={1} title={t('login.title')}>
      <Stack gap={6}>
        {email && <Alert type="success">{t('login.passwordSet')}</Alert>}
        {from && <Alert type="info">{t('login.over')}</Alert>}
        <LoginForm
          email={email ?? ''}
          onLoggedIn={() => navigate(from ?? path('/management/subscription'), { replace: true })}
        />
        <p>
          {t('login.noAccount')} <a href={href('/get-started')}>{t('subscriptions.empty.action')}</a>
        </p>
      </Stack>
    </Section>
  );
}
