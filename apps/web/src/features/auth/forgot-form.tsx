import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { AccountEmailField } from '../../forms/account-email.tsx';
import { type CodeFlow, codeFlow } from '../../forms/code-flow.ts';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';

/** Requests a code to set a new password. The answer is the same for every address. */
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
