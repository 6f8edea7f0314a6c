import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { FormActions } from '@fixpoint/ui/form.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, session } from '../../server/api.ts';
import { useHref, useLinkToken } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { typedEmail } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Gives an account the previous address again, by the link of an email. The click does so, not the
 * opening: mail programs open links for previews.
 */
export function UndoEmail() {
  const t = useText();
  const href = useHref();
  const { token, forget } = useLinkToken();
  const change = useQuery({
    queryKey: ['emailChange', token],
    queryFn: () => api.account.emailChange({ bearer: token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [isDone, setDone] = useState(false);
  const undo = useAction(async () => {
    await api.account.undoEmail({ body: {}, bearer: token });
    forget();
    setDone(true);
    // Its tokens have ended with all others of the account.
    if (change.data!.holds) session.end();
  });
  const email = change.data?.email ?? '';
  const isOver = token === '' || [change.error, undo.error].some(error => codeOf(error) === '8003');
  return (
    <Section level={1} title={t('undoEmail.title')}>
      <Stack gap={6}>
        {isOver && <Alert type="info">{t('undoEmail.over')}</Alert>}
        {!isOver && change.error && <LoadError error={change.error} onRetry={change.refetch} />}
        {!isOver && change.isPending && <Skeleton lines={3} label={t('app.loading')} />}
        {!isOver && change.data && !isDone && (
          <>
            <p>{t(change.data.holds ? 'undoEmail.ask' : 'undoEmail.stays', { email })}</p>
            {undo.error !== undefined && <Problem error={undo.error} />}
            <p>
              <Button variant="primary" busy={undo.busy} onClick={() => undo.run()}>
                {t('undoEmail.action')}
              </Button>
            </p>
          </>
        )}
        {change.data && isDone && (
          <>
            <Alert type="success" live>
              {t(change.data.holds ? 'undoEmail.done' : 'undoEmail.stays', { email })}
            </Alert>
            {change.data.holds && (
              <FormActions>
                <LinkButton
                  variant="primary"
                  href={href('/auth/forgot-password')}
                  onClick={() => typedEmail.set(email)}
                >
                  {t('setPassword.title')}
                </LinkButton>
              </FormActions>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}
