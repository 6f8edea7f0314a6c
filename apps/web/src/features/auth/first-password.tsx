import { Section } from '@fixpoint/ui/layout.tsx';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { codeOf, isTransient, Refusal } from '@fixpoint/web-client/faults.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../server/api.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';
import { logIn, logInInstead } from './log-in.ts';
import { SetPasswordForm } from './set-password-form.tsx';

const isSpent = (error: unknown) => codeOf(error) === '8003';

/**
 * Sets the first password with the one-time token of an emailed link, then logs in. `dead` is shown
 * for a used link.
 */
export function FirstPassword(props: {
  token: string;
  dead: ReactNode;
  onSpent: () => void;
  onLoggedIn: () => Promise<void>;
  /** The password is set, but the log-in needs a second factor. */
  onSet: (email: string) => void;
}) {
  const t = useText();
  const href = useHref();
  const { token, dead, onSpent, onLoggedIn, onSet } = props;
  const refused = (error: unknown): never => {
    if (isSpent(error)) onSpent();
    throw error;
  };
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.auth.verifyToken({ bearer: token }).catch(refused),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link.error instanceof Refusal && !isTransient(link.error)) return dead;
  const email = link.data?.email ?? '';
  return (
    <Section
      level={1}
      title={t('setPassword.title')}
      lead={email ? t('setPassword.lead', { email }) : undefined}
    >
      {link.error && <LoadError error={link.error} onRetry={link.refetch} />}
      {link.isLoading && <Loading label={t('setPassword.checking')} />}
      {link.data && (
        <SetPasswordForm
          email={email}
          save={async password => {
            const proof = { email, password };
            try {
              await api.auth.setPassword({ body: { password }, bearer: token }).catch(refused);
            } catch (error) {
              if (!isSpent(error)) throw error;
              await logInInstead(error, proof);
              return onLoggedIn();
            }
            try {
              await logIn(proof);
            } catch {
              return onSet(email);
            }
            await onLoggedIn();
          }}
          remedy={error =>
            isSpent(error) && <a href={href('/auth/login')}>{t('setPassword.invalid.action')}</a>
          }
        />
      )}
    </Section>
  );
}
