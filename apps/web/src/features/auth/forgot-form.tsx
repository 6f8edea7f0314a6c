import { normalEmail } from '@fixpoint/contract/fields.ts';
import { AccountEmailField } from '../../lib/account-email.tsx';
import { api } from '../../lib/api.ts';
import { type CodeFlow, codeFlow } from '../../lib/code-flow.ts';
import { FormFrame } from '../../lib/form-frame.tsx';
import { useFormState } from '../../lib/form-state.ts';
import { useText } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';

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
      <AccountEmailField field={state.field} />
    </FormFrame>
  );
}
