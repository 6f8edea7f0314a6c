import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { LoginForm } from '../../features/auth/login-form.tsx';
import { useHref, usePath } from '../../lib/links.ts';
import { loginNotice } from '../../lib/login-notice.ts';
import { useText } from '../../lib/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Section, Stack } from '../../ui/layout.tsx';

/** What other screens tell this one: where the visitor wanted to go. */
type LoginState = { from?: string };

export function Screen() {
  const t = useText();
  const path = usePath();
  const href = useHref();
  const navigate = useNavigate();
  const { from } = (useLocation().state ?? {}) as LoginState;
  const [notice] = useState(loginNotice.get);
  useEffect(() => loginNotice.set(undefined), []);
  return (
    <Section level={1} title={t('login.title')}>
      <Stack gap={6}>
        {notice && <Alert type="success">{t(notice.text)}</Alert>}
        {from && !notice && <Alert type="info">{t('login.over')}</Alert>}
        <LoginForm
          email={notice?.email ?? ''}
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
