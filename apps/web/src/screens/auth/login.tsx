import { Alert } from '@fixpoint/ui/alert.tsx';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Login } from '../../features/auth/login.tsx';
import { pathBelowLanguage } from '../../routing/language.ts';
import { useHref, usePath } from '../../shop/links.ts';
import { loginNotice, typedEmail, wantedScreen } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';

/** Router state from other screens: where the visitor wanted to go. */
type LoginState = { from?: string };

export function Screen() {
  const t = useText();
  const path = usePath();
  const href = useHref();
  const navigate = useNavigate();
  const [stored] = useState(wantedScreen.get);
  const { from = stored } = (useLocation().state ?? {}) as LoginState;
  const [notice] = useState(loginNotice.get);
  useEffect(() => {
    loginNotice.set(undefined);
    wantedScreen.set(undefined);
  }, []);
  return (
    <Login
      email={notice?.email ?? typedEmail.get()}
      notice={
        (notice && <Alert type="success">{t(notice.text)}</Alert>) ||
        (from && <Alert type="info">{t('login.over')}</Alert>)
      }
      signUp={
        <>
          <span>{t('login.new')}</span> <a href={href('/auth/sign-up')}>{t('signUp.title')}</a>
        </>
      }
      bought={<a href={href('/auth/forgot-password')}>{t('login.bought')}</a>}
      forgotHref={href('/auth/forgot-password')}
      onForgot={email => {
        typedEmail.set(email);
        wantedScreen.set(from);
      }}
      // In the current language, which may have changed on this page.
      onLoggedIn={() => {
        typedEmail.set('');
        navigate(path(from === undefined ? '/management/dashboard' : pathBelowLanguage(from)), {
          replace: true,
        });
      }}
    />
  );
}
