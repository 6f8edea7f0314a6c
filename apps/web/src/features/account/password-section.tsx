import { Button } from '@fixpoint/ui/button.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { codeFlow, useCodeFlow } from '../../forms/code-flow.ts';
import { CodeStep } from '../../forms/code-step.tsx';
import { NewPasswordFields, OwnerOfPassword } from '../../forms/new-password.tsx';
import { api, session } from '../../server/api.ts';
import { withLoginNotice } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Changes the password: emailed code, then the current and the new password (S12). Ends every
 * session (S11).
 */
export function PasswordSection({ email }: { email: string }) {
  const t = useText();
  const [flow, setFlow] = useCodeFlow('changePassword');
  const begin = useAction(async () =>
    setFlow(codeFlow(email, await api.auth.changePasswordOtp({ body: {} }))),
  );
  // Ignores the flow of a customer who was logged in here before.
  const mine = flow?.email === email ? flow : undefined;
  const opener = useFocusAfter();
  const cancel = () => opener.after(() => setFlow(undefined));
  return (
    <Section id="change-password" title={t('account.password.title')} lead={t('account.password.lead')}>
      {!mine && (
        <>
          <Problem error={begin.error} />
          <p>
            <Button ref={opener.ref} busy={begin.busy} onClick={() => begin.run()}>
              {t('account.password.start')}
            </Button>
          </p>
        </>
      )}
      {mine && !mine.grant && (
        <CodeStep
          flow={mine}
          lead={t('code.sent', { email, minutes: mine.validMinutes })}
          onFlow={setFlow}
          onBack={cancel}
          backLabel={t('app.cancel')}
          onCode={async code => {
            const { grant } = await api.auth.verifyChangePassword({ body: { flow: mine.flow, code } });
            setFlow({ ...mine, grant });
          }}
        />
      )}
      {mine?.grant && <ChangeForm email={email} grant={mine.grant} onEnd={cancel} />}
    </Section>
  );
}

function ChangeForm(props: { email: string; grant: string; onEnd: () => void }) {
  const t = useText();
  const { email, grant, onEnd } = props;
  const state = useFormState({
    defaultValues: { currentPassword: '', password: '', confirm: '' },
    fields: ['currentPassword', 'password', 'confirm'],
    refusals: {
      8006: ['currentPassword', 'errorCode.8006'],
      7000: ['password', 'errorCode.7000'],
    },
    send: async ({ currentPassword, password }) => {
      await withLoginNotice({ text: 'login.passwordSet', email }, () =>
        api.auth.changePassword({ body: { grant, currentPassword, password } }),
      );
      onEnd();
      session.logOut();
    },
  });
  return (
    <FormFrame
      state={state}
      remedy={error =>
        error instanceof Refusal &&
        error.code === '8003' && (
          <button type="button" className="link" onClick={onEnd}>
            {t('forgot.again')}
          </button>
        )
      }
      actions={
        <>
          <Button type="submit" variant="primary" busy={state.busy}>
            {t('setPassword.submit')}
          </Button>
          <Button variant="quiet" disabled={state.busy} onClick={onEnd}>
            {t('app.cancel')}
          </Button>
        </>
      }
    >
      <OwnerOfPassword email={email} />
      <PasswordField
        label={t('account.password.current')}
        autoFocus
        width="m"
        autoComplete="current-password"
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
        {...state.field('currentPassword', value => value !== '' || 'form.password.required')}
      />
      <NewPasswordFields field={state.field} width="m" />
    </FormFrame>
  );
}
