import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { SetPasswordForm } from '../../features/auth/set-password-form.tsx';
import { api } from '../../lib/api.ts';
import { isPassing, Refusal } from '../../lib/faults.ts';
import { useHref, usePath, useQueryParams } from '../../lib/links.ts';
import { LoadError } from '../../lib/load-error.tsx';
import { useText } from '../../lib/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/layout.tsx';
import { Loading } from '../../ui/progress.tsx';
import type { LoginState } from './login.tsx';

/** Set the first password with the token of a mailed link (`?token=` in the fragment). */
export function Screen() {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const params = useQueryParams();
  const [token] = useState(() => params.get('token') ?? '');
  // Out of the address at once: it must not stay in the history or be sent on with a copied link.
  useEffect(() => {
    if (search) navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);

  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.auth.verifyToken({ bearer: token }),
    enabled: token !== '',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isRefused = token === '' || (link.error instanceof Refusal && !isPassing(link.error));
  if (isRefused) return <DeadLink />;
  const email = link.data?.email ?? '';
  const goToLogin = () =>
    navigate(path('/auth/login'), { replace: true, state: { email } satisfies LoginState });
  return (
    <Section
      level={1}
      title={t('setPassword.title')}
      lead={email ? t('setPassword.lead', { email }) : undefined}
    >
      {link.error && <LoadError error={link.error} onRetry={link.refetch} />}
      {link.isLoading && <Loading label={t('setPassword.checking')} />}
      {link.data && <SetPasswordForm token={token} email={email} onSet={goToLogin} />}
    </Section>
  );
}

function DeadLink() {
  const t = useText();
  const href = useHref();
  return (
    <Section level={1} title={t('setPassword.invalid.title')} lead={t('setPassword.invalid.text')}>
      <p>
        <a className={buttonClass()} href={href('/auth/login')}>
          {t('setPassword.invalid.action')}
        </a>
      </p>
    </Section>
  );
}
