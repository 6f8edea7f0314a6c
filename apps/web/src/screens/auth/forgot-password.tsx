import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useLocation, useNavigate } from 'react-router';
import { ForgotForm } from '../../features/auth/forgot-form.tsx';
import { useCodeFlow } from '../../forms/code-flow.ts';
import { useHref, usePath } from '../../shop/links.ts';
import { typedEmail } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';

/** Email address that another screen knows already. */
export type ForgotState = { email?: string };

/** Requests a code; the next screen asks for it and for the new password. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const path = usePath();
  const navigate = useNavigate();
  const [flow, setFlow] = useCodeFlow('resetPassword');
  // The address is kept on the way back from the code.
  const { email = typedEmail.get() || (flow?.email ?? '') } = (useLocation().state ?? {}) as ForgotState;
  return (
    <Section level={1} title={t('forgot.title')} lead={t('forgot.lead')}>
      <Stack gap={6}>
        <ForgotForm
          email={email}
          onSent={flow => {
            setFlow(flow);
            typedEmail.set(flow.email);
            navigate(path('/auth/reset-password'));
          }}
        />
        <p>
          <a href={href('/auth/login')}>{t('setPassword.invalid.action')}</a>
        </p>
      </Stack>
    </Section>
  );
}
