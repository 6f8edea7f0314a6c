import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { asClock, useSecondsUntil } from '@fixpoint/ui/lib/countdown.ts';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';
import { EmailField } from './email-field.tsx';

/**
 * For customers who wait for our email: sends it again after the server's pause, or to a corrected
 * address.
 */
export function EmailAgain(props: {
  metadata: string;
  /** Seconds, as of the page's opening. */
  resendIn: number;
  onChanged: (email: string) => void;
}) {
  const t = useText();
  const { metadata, resendIn, onChanged } = props;
  const [sendAt, setSendAt] = useState(() => Date.now() + resendIn * 1000);
  const left = useSecondsUntil(sendAt);
  const [changing, setChanging] = useState(false);
  const opener = useFocusAfter();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const pause = (seconds: number) => setSendAt(Date.now() + seconds * 1000);

  async function send() {
    setSending(true);
    setProblem(undefined);
    try {
      pause((await api.guest.sendAgain({ body: { metadata } })).resendIn);
      snacks.show({ type: 'success', text: t('success.again.sent') });
    } catch (error) {
      setProblem(error);
      if (error instanceof Refusal && error.retryAfter) pause(error.retryAfter);
    } finally {
      setSending(false);
    }
  }

  if (changing) {
    return (
      <ChangeEmail
        metadata={metadata}
        onBack={() => opener.after(() => setChanging(false))}
        onChanged={(email, seconds) => {
          pause(seconds);
          opener.after(() => setChanging(false));
          onChanged(email);
        }}
      />
    );
  }
  return (
    <Stack gap={3}>
      <Cluster>
        {/* The countdown changes every second; the fixed label keeps screen readers quiet. */}
        <Button
          size="s"
          busy={sending}
          // Not `disabled`, which would drop the focus from the button.
          aria-disabled={left > 0}
          aria-label={t('success.again')}
          onClick={() => left === 0 && void send()}
        >
          <span className="tabular">
            {left > 0 ? t('success.againIn', { time: asClock(left) }) : t('success.again')}
          </span>
        </Button>
        <span>
          <span>{t('success.wrong')}</span>{' '}
          <button ref={opener.ref} type="button" className="link" onClick={() => setChanging(true)}>
            {t('success.change')}
          </button>
        </span>
      </Cluster>
      {problem !== undefined && <Problem error={problem} />}
    </Stack>
  );
}

function ChangeEmail(props: {
  metadata: string;
  onBack: () => void;
  onChanged: (email: string, resendIn: number) => void;
}) {
  const t = useText();
  const state = useFormState({
    defaultValues: { email: '' },
    fields: ['email'],
    send: async values => {
      const email = normalEmail(values.email);
      const { resendIn } = await api.guest.changeEmail({ body: { metadata: props.metadata, email } });
      snacks.show({ type: 'success', text: t('success.changed', { email }) });
      props.onChanged(email, resendIn);
    },
  });
  return (
    <FormFrame
      state={state}
      single
      actions={
        <>
          <Button type="submit" variant="primary" busy={state.busy}>
            {t('success.change.submit')}
          </Button>
          <Button variant="quiet" onClick={props.onBack}>
            {t('app.cancel')}
          </Button>
        </>
      }
    >
      <EmailField
        field={state.field}
        label={t('success.change.label')}
        hint={t('success.change.hint')}
        onSuggestion={email => state.form.setValue('email', email)}
        // The button that opened this is gone.
        autoFocus
      />
    </FormFrame>
  );
}
