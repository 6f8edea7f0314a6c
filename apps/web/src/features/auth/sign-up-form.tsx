import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useEffect } from 'react';
import { AccountEmailField } from '../../forms/account-email.tsx';
import { type CodeFlow, codeFlow } from '../../forms/code-flow.ts';
import { NewPasswordFields } from '../../forms/new-password.tsx';
import { useProofAhead } from '../../forms/proof-ahead.ts';
import { shownLanguage } from '../../routing/language.ts';
import { api } from '../../server/api.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

export type SignUpValues = { email: string; password: string; confirm: string; agreed: boolean };

export const emptySignUp: SignUpValues = { email: '', password: '', confirm: '', agreed: false };

/** First step of the sign-up. The code has been sent when `onSent` is called. */
export function SignUpForm(props: {
  /** Earlier input, when the customer comes back to change the address. */
  values: SignUpValues;
  /** Links that open the terms and the privacy policy. */
  documents: ReactNode;
  onSent: (flow: CodeFlow, values: SignUpValues) => void;
}) {
  const t = useText();
  const terms = useLegal('terms');
  const proof = useProofAhead();
  const { values: defaultValues, documents, onSent } = props;
  const { form, ...state } = useFormState<SignUpValues>({
    defaultValues,
    fields: ['email', 'password', 'confirm', 'agreed'],
    refusals: { 5002: ['email', 'form.email.exists'], 7000: ['password', 'errorCode.7000'] },
    send: async values => {
      const email = normalEmail(values.email);
      const body = {
        email,
        password: values.password,
        termsVersion: terms.data?.version ?? '',
        language: shownLanguage.get(),
        humanCheck: await proof.take(),
      };
      try {
        onSent(codeFlow(email, await api.customer.register({ body })), values);
      } catch (error) {
        const changed = error instanceof Refusal ? error.fields.termsVersion : undefined;
        if (!changed) throw error;
        // The accepted version is no longer in force: ask for consent again.
        form.setValue('agreed', false);
        form.setError('agreed', { message: changed });
        await terms.refetch();
      }
    },
  });
  // The customer came back from the code to change the address.
  useEffect(() => {
    if (defaultValues.email) form.setFocus('email');
  }, [defaultValues.email, form.setFocus]);

  return (
    <FormFrame
      state={state}
      onBegin={proof.begin}
      actions={
        <Button type="submit" variant="primary" busy={state.busy || terms.isPending}>
          {t('signUp.submit')}
        </Button>
      }
    >
      <AccountEmailField field={state.field} />
      <NewPasswordFields field={state.field} label="login.password" />
      {terms.error && <LoadError error={terms.error} onRetry={terms.refetch} />}
      <Checkbox
        label={t('signUp.agree')}
        hint={documents}
        {...state.field('agreed', agreed => agreed || 'signUp.agree.required')}
      />
    </FormFrame>
  );
}
