import { Section } from '@fixpoint/ui/layout.tsx';
import { useStepArrival } from '@fixpoint/ui/lib/step-arrival.ts';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import type { ReactNode } from 'react';
import { type CodeFlow, useCodeFlow } from '../../forms/code-flow.ts';
import { CodeStep } from '../../forms/code-step.tsx';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';
import { SetPasswordForm } from './set-password-form.tsx';

/** Emailed code, then a new password. */
export function ResetPassword(props: {
  /** Shown if no code was requested in this tab. */
  none: ReactNode;
  onSet: (email: string) => void;
  /** The customer needs another code or uses another address. */
  onAgain: (email: string) => void;
}) {
  const t = useText();
  const { none, onSet, onAgain } = props;
  const [flow, setFlow] = useCodeFlow('resetPassword');
  useStepArrival(flow?.grant ? 'password' : 'code', !flow?.grant);
  if (!flow) return none;

  const again = () => {
    onAgain(flow.email);
    setFlow(undefined);
  };
  if (!flow.grant) return <ResetCode flow={flow} onFlow={setFlow} onBack={again} />;
  const { grant, email } = flow;
  return (
    <Section level={1} title={t('setPassword.title')} lead={t('setPassword.lead', { email })}>
      <SetPasswordForm
        email={email}
        save={async password => {
          await api.auth.resetPassword({ body: { grant, password } });
          onSet(email);
          setFlow(undefined);
        }}
        remedy={error =>
          error instanceof Refusal &&
          error.code === '8003' && (
            <button type="button" className="link" onClick={again}>
              {t('forgot.again')}
            </button>
          )
        }
      />
    </Section>
  );
}

function ResetCode(props: { flow: CodeFlow; onFlow: (flow: CodeFlow) => void; onBack: () => void }) {
  const t = useText();
  const { flow, onFlow, onBack } = props;
  return (
    <Section
      level={1}
      title={t('code.title')}
      lead={t('code.sentIfKnown', { email: flow.email, minutes: flow.validMinutes })}
    >
      <CodeStep
        flow={flow}
        onFlow={onFlow}
        onBack={onBack}
        backLabel={t('code.changeEmail')}
        onCode={async code => {
          const { grant } = await api.auth.verifyResetPassword({ body: { flow: flow.flow, code } });
          onFlow({ ...flow, grant });
        }}
      />
    </Section>
  );
}
