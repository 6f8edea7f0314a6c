import { Button } from '@fixpoint/ui/button.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useText } from '../../shop/texts.ts';
import { PasskeyLogin } from './passkey-login.tsx';

/** Asks for a code of the authenticator app, or a recovery code, after the password (S15). */
export function SecondFactor(props: {
  methods: string[];
  logIn: (totp: string) => Promise<void>;
  onLoggedIn: () => void;
  onBack: () => void;
}) {
  const t = useText();
  const state = useFormState({
    defaultValues: { totp: '' },
    fields: ['totp'],
    send: async ({ totp }) => {
      await props.logIn(totp.trim());
      props.onLoggedIn();
    },
    refusals: { 7006: ['totp', 'form.code.wrong'] },
  });
  return (
    <Section level={1} title={t('login.secondFactor.title')} lead={t('login.secondFactor.text')}>
      <FormFrame
        state={state}
        failed={t('login.failed')}
        single
        actions={
          <>
            <Button type="submit" variant="primary" busy={state.busy}>
              {t('login.secondFactor.submit')}
            </Button>
            {props.methods.includes('passkey') && <PasskeyLogin onLoggedIn={props.onLoggedIn} />}
            <Button variant="quiet" onClick={props.onBack}>
              {t('app.back')}
            </Button>
          </>
        }
      >
        <TextField
          label={t('login.secondFactor.label')}
          hint={t('login.secondFactor.hint')}
          mono
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...state.field('totp', value => value.trim() !== '' || 'login.secondFactor.required')}
        />
      </FormFrame>
    </Section>
  );
}
