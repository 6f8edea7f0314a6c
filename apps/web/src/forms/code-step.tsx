import { Button } from '@fixpoint/ui/button.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { asClock, useSecondsUntil } from '@fixpoint/ui/lib/countdown.ts';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { CodeForm } from '@fixpoint/web-client/forms/code-form.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { type ReactNode, useState } from 'react';
import { api } from '../server/api.ts';
import { snacks } from '../shop/snack.ts';
import { useText } from '../shop/texts.ts';
import { type CodeFlow, codeFlow } from './code-flow.ts';

/**
 * Asks for the emailed code, and offers a new one when the server's countdown is over. The last
 * digit submits. `onFlow` stores the flow of a new code; `onBack` leads back to the address, with
 * the input.
 */
export function CodeStep(props: {
  flow: CodeFlow;
  /** What was sent and where to, unless the headline says so. */
  lead?: ReactNode;
  onCode: (code: string) => Promise<unknown>;
  onFlow: (flow: CodeFlow) => void;
  onBack: () => void;
  backLabel: string;
}) {
  const t = useText();
  const { flow, lead, onCode, onFlow, onBack, backLabel } = props;
  const left = useSecondsUntil(flow.resendAt);
  const [resending, setResending] = useState(false);
  const [resendError, setResendError] = useState<unknown>();

  async function resend() {
    setResending(true);
    setResendError(undefined);
    try {
      onFlow(codeFlow(flow.email, await api.auth.requestOTP({ body: { flow: flow.flow } })));
      snacks.show({ type: 'success', text: t('code.resent') });
    } catch (error) {
      setResendError(error);
      const wait = error instanceof Refusal ? error.retryAfter : undefined;
      if (wait) onFlow({ ...flow, resendAt: Date.now() + wait * 1000 });
    } finally {
      setResending(false);
    }
  }

  return (
    <Stack gap={6}>
      {lead && <p>{lead}</p>}
      <CodeForm
        // Clears and focuses the field for a new code.
        key={flow.flow}
        name="code"
        label={t('code.label')}
        hint={t('code.help')}
        submitLabel={t('code.submit')}
        onCode={onCode}
        backLabel={backLabel}
        onBack={onBack}
      >
        {resendError !== undefined && <Problem error={resendError} />}
        {left > 0 ? (
          <p className="muted tabular">{t('code.resendIn', { time: asClock(left) })}</p>
        ) : (
          <p>
            <Button size="s" busy={resending} onClick={() => void resend()}>
              {t('code.resend')}
            </Button>
          </p>
        )}
      </CodeForm>
    </Stack>
  );
}
