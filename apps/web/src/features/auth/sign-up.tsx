import { LinkButton } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useStepArrival } from '@fixpoint/ui/lib/step-arrival.ts';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { type ReactNode, useState } from 'react';
import { useCodeFlow } from '../../forms/code-flow.ts';
import { CodeStep } from '../../forms/code-step.tsx';
import { api } from '../../server/api.ts';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';
import { beginSession, logInInstead } from './log-in.ts';
import { emptySignUp, SignUpForm } from './sign-up-form.tsx';

/** Form, emailed code, welcome. The password stays in memory until the code is right. */
export function SignUp({ documents }: { documents: ReactNode }) {
  const t = useText();
  const href = useHref();
  const [flow, setFlow] = useCodeFlow('signUp');
  const [values, setValues] = useState({ ...emptySignUp, email: flow?.email ?? '' });
  const [welcome, setWelcome] = useState<string>();

  const step = welcome ? 'welcome' : flow ? 'code' : 'form';
  useStepArrival(step, step !== 'welcome');

  if (welcome) {
    return (
      <EmptyState
        level={1}
        title={t('signUp.welcome.title')}
        action={
          <LinkButton variant="primary" href={href('/get-started')}>
            {t('subscriptions.empty.action')}
          </LinkButton>
        }
      >
        {t('signUp.welcome.text', { email: welcome })}
      </EmptyState>
    );
  }
  if (flow) {
    return (
      <Section
        level={1}
        title={t('code.title')}
        lead={t('code.sent', { email: flow.email, minutes: flow.validMinutes })}
      >
        <CodeStep
          flow={flow}
          onFlow={setFlow}
          onBack={() => setFlow(undefined)}
          backLabel={t('code.changeEmail')}
          onCode={async code => {
            const body = { flow: flow.flow, code, refreshIn: 'cookie' } as const;
            try {
              beginSession((await api.customer.verifyUser({ body })).data, flow);
            } catch (error) {
              // The code was used or the account exists, possibly by an attempt whose answer was
              // lost.
              if (!['7007', '5002'].includes(codeOf(error)) || !values.password) throw error;
              await logInInstead(error, { email: flow.email, password: values.password });
            }
            setWelcome(flow.email);
            setFlow(undefined);
          }}
        />
      </Section>
    );
  }
  return (
    <Section level={1} title={t('signUp.title')} lead={t('signUp.lead')}>
      <Stack gap={6}>
        <SignUpForm
          values={values}
          documents={documents}
          onSent={(sent, typed) => {
            setValues(typed);
            setFlow(sent);
          }}
        />
        <p>
          <span>{t('signUp.hasAccount')}</span> <a href={href('/auth/login')}>{t('login.title')}</a>
        </p>
      </Stack>
    </Section>
  );
}
