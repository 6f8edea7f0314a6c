import { Button } from '@fixpoint/ui/button.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import type { ReactNode } from 'react';
import { NewPasswordField, NewPasswordFields, OwnerOfPassword } from '../../forms/new-password.tsx';
import { useText } from '../../shop/texts.ts';

/** Sets a new password. `save` uses up the emailed link or the grant of the code. */
export function SetPasswordForm(props: {
  email: string;
  /** Without confirmation: the password can be shown, and is used at once to log in. */
  once?: boolean;
  save: (password: string) => Promise<unknown>;
  /** Action shown beside a refusal. */
  remedy?: (error: unknown) => ReactNode;
}) {
  const t = useText();
  const state = useFormState({
    defaultValues: { password: '', confirm: '' },
    fields: props.once ? ['password'] : ['password', 'confirm'],
    send: ({ password }) => props.save(password),
    refusals: { 7000: ['password', 'errorCode.7000'] },
  });
  return (
    <FormFrame
      state={state}
      single={props.once}
      remedy={props.remedy}
      actions={
        <Button type="submit" variant="primary" busy={state.busy}>
          {t('setPassword.submit')}
        </Button>
      }
    >
      <OwnerOfPassword email={props.email} />
      {props.once ? <NewPasswordField field={state.field} /> : <NewPasswordFields field={state.field} />}
    </FormFrame>
  );
}
