import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { api } from '../../lib/api.ts';
import { type CodeFlow, codeFlow } from '../../lib/code-flow.ts';
import { ruled } from '../../lib/form.ts';
import { FormFrame } from '../../lib/form-frame.tsx';
import { useFormState } from '../../lib/form-state.ts';
import { useText } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** Asks for a code to set a new password; the answer is the same for every address. */
export function ForgotForm({ email, onSent }: { email: string; onSent: (flow: CodeFlow) => void }) {
  const t = useText();
  const state = useFormState({
    defaultValues: { email },
    fields: ['email'],
    send: async values => {
      const address = normalEmail(values.email);
      onSent(codeFlow(address, await api.auth.requestResetPassword({ body: { email: address } })));
    },
  });
  return (
    <FormFrame
      state={state}
      single
      actions={
        <Button type="submit" variant="primary" busy={state.busy}>
          {t('forgot.submit')}
        </Button>
      }
    >
      <TextField
        type="email"
        label={t('login.email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...state.field('email', ruled(emailRule))}
      />
    </FormFrame>
  );
}
