import { Button } from '@fixpoint/ui/button.tsx';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import {
  type StepUpMethod,
  type StepUpQuestion,
  stepUpPurpose,
  stepUpQuestion,
} from '@fixpoint/web-client/step-up.ts';
import { useEffect, useState } from 'react';
import { OwnerOfPassword } from '../../forms/new-password.tsx';
import { api } from '../../server/api.ts';
import { authenticateWithPasskey, canUsePasskeys } from '../../server/passkey.ts';
import { useProfile } from '../../server/profile.ts';
import { useText } from '../../shop/texts.ts';

/** Step-up dialog for any call that demands it; the call then continues by itself (S16). */
export function StepUpDialog() {
  const t = useText();
  const question = useStore(stepUpQuestion);
  // Leaving the account area or the end of the session cancels the step-up, so that nobody else
  // finds the dialog. On mount it cancels one that was asked meanwhile.
  useEffect(() => {
    const cancel = () => stepUpQuestion.get()?.answer(false);
    cancel();
    return cancel;
  }, []);
  return (
    <Dialog
      open={question !== undefined}
      onClose={() => question?.answer(false)}
      title={t('stepUp.title')}
      closeLabel={t('app.close')}
    >
      {question && <Confirm question={question} />}
    </Dialog>
  );
}

function Confirm({ question }: { question: StepUpQuestion }) {
  const t = useText();
  const purpose = useStore(stepUpPurpose);
  const methods = question.methods.filter(method => method !== 'passkey' || canUsePasskeys());
  const [chosen, setMethod] = useState<StepUpMethod>();
  const method = chosen ?? methods[0];
  const props = { onConfirmed: () => question.answer(true), onCancel: () => question.answer(false) };
  return (
    <Stack gap={6}>
      <p>{purpose ?? t('stepUp.text')}</p>
      {method === 'passkey' ? <ByPasskey {...props} /> : <ByTyping key={method} method={method} {...props} />}
      <Stack gap={1}>
        {methods
          .filter(other => other !== method)
          .map(other => (
            <p key={other}>
              <button type="button" className="link" onClick={() => setMethod(other)}>
                {t(`stepUp.${other}`)}
              </button>
            </p>
          ))}
      </Stack>
    </Stack>
  );
}

type Outcome = { onConfirmed: () => void; onCancel: () => void };

function ByTyping({ method, onConfirmed, onCancel }: Outcome & { method: 'password' | 'totp' | undefined }) {
  const t = useText();
  const { data } = useProfile();
  const state = useFormState({
    defaultValues: { proof: '' },
    fields: ['proof'],
    refusals: { 8006: ['proof', 'errorCode.8006'], 7006: ['proof', 'form.code.wrong'] },
    send: async ({ proof }) => {
      const body =
        method === 'totp' ? { method, code: proof.trim() } : { method: 'password' as const, password: proof };
      await api.account.stepUp({ body });
      onConfirmed();
    },
  });
  return (
    <FormFrame state={state} single actions={<Actions busy={state.busy} onCancel={onCancel} />}>
      {method === 'totp' ? (
        <TextField
          label={t('login.secondFactor.label')}
          hint={t('login.secondFactor.hint')}
          mono
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...state.field('proof', value => value.trim() !== '' || 'login.secondFactor.required')}
        />
      ) : (
        <>
          <OwnerOfPassword email={data?.email ?? ''} />
          <PasswordField
            label={t('account.password.current')}
            autoFocus
            autoComplete="current-password"
            showLabel={t('password.show')}
            hideLabel={t('password.hide')}
            {...state.field('proof', value => value !== '' || 'form.password.required')}
          />
        </>
      )}
    </FormFrame>
  );
}

function ByPasskey({ onConfirmed, onCancel }: Outcome) {
  const state = useFormState({
    defaultValues: {},
    fields: [],
    send: async () => {
      const answer = await authenticateWithPasskey(await api.account.stepUpOptions({ body: {} }));
      await api.account.stepUp({ body: { method: 'passkey', ...answer } });
      onConfirmed();
    },
  });
  return (
    <FormFrame state={state} single actions={<Actions busy={state.busy} onCancel={onCancel} passkey />}>
      {null}
    </FormFrame>
  );
}

function Actions(props: { busy: boolean; passkey?: boolean; onCancel: () => void }) {
  const t = useText();
  return (
    <>
      <Button type="submit" variant="primary" busy={props.busy}>
        {t(props.passkey ? 'stepUp.passkey' : 'login.secondFactor.submit')}
      </Button>
      <Button onClick={props.onCancel}>{t('app.cancel')}</Button>
    </>
  );
}
