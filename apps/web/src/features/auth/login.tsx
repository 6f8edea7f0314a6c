import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useStepArrival } from '@fixpoint/ui/lib/step-arrival.ts';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useState } from 'react';
import { AccountEmailField } from '../../forms/account-email.tsx';
import { useText } from '../../shop/texts.ts';
import { logIn } from './log-in.ts';
import { PasskeyLogin } from './passkey-login.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Email address and password were right, but a second factor is needed. */
type Half = { email: string; password: string; methods: string[] };

/**
 * Logs in with email and password, or with a passkey. Calls `onLoggedIn` when the session has
 * begun.
 */
export function Login(props: {
  email: string;
  /** Why the visitor is here. */
  notice?: ReactNode;
  /** Link for visitors without an account. */
  signUp: ReactNode;
  /** For who has just bought, and has no password yet. */
  bought: ReactNode;
  forgotHref: string;
  /** Called when the link is followed, with the email address typed so far. */
  onForgot: (email: string) => void;
  onLoggedIn: () => void;
}) {
  const t = useText();
  const { notice, signUp, bought, forgotHref, onForgot, onLoggedIn } = props;
  const [half, setHalf] = useState<Half>();
  useStepArrival(half ? 'code' : 'form', half !== undefined);
  const state = useFormState({
    defaultValues: { email: props.email, password: '' },
    fields: ['email', 'password'],
    send: async ({ email, password }) => {
      try {
        await logIn({ email: normalEmail(email), password });
        onLoggedIn();
      } catch (error) {
        const methods = error instanceof Refusal ? error.data.secondFactor : undefined;
        if (Array.isArray(methods)) setHalf({ email: normalEmail(email), password, methods });
        // For a failed log-in it does not matter which of the two was malformed.
        else throw error instanceof Refusal && error.code === '7004' ? new Refusal('8005', 400) : error;
      }
    },
  });

  if (half) {
    return (
      <SecondFactor
        methods={half.methods}
        logIn={totp => logIn({ email: half.email, password: half.password, totp })}
        onLoggedIn={onLoggedIn}
        onBack={() => setHalf(undefined)}
      />
    );
  }
  return (
    <Section level={1} title={t('login.title')} lead={signUp}>
      <Stack gap={6}>
        {notice}
        <FormFrame
          state={state}
          failed={t('login.failed')}
          actions={
            <>
              <Button type="submit" variant="primary" busy={state.busy}>
                {t('login.submit')}
              </Button>
              <PasskeyLogin onLoggedIn={onLoggedIn} />
            </>
          }
        >
          <AccountEmailField field={state.field} />
          <PasswordField
            label={t('login.password')}
            autoComplete="current-password"
            showLabel={t('password.show')}
            hideLabel={t('password.hide')}
            {...state.field('password', value => value !== '' || 'form.password.required')}
          />
          <p>
            <a href={forgotHref} onClick={() => onForgot(state.form.getValues('email'))}>
              {t('forgot.title')}
            </a>
          </p>
        </FormFrame>
        <p className="muted">{bought}</p>
      </Stack>
    </Section>
  );
}
