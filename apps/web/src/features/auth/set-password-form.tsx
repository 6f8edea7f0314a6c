import { Button } from '@fixpoint/ui/button.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import type { ReactNode } from 'react';
import { NewPasswordFields, OwnerOfPassword } from '../../forms/new-password.tsx';
import { useText } from '../../shop/texts.ts';

/** Sets a new password. `save` uses up the emailed link or the grant of the code. */
export function SetPasswordForm(props: {
  email: string;
  save: (password: string) => Promise<unknown>;
  /** Action shown beside a refusal. */
  remedy?: (error: unknown) => ReactNode;
}) {
  const t = useText();
  const state = useFormState({
    defaultValues: { password: '', confirm: '' },
    fields: ['password', 'confirm'],
    send: ({ password }) => props.save(password),
    refusals: { 7000: ['password', 'errorCode.7000'] },
  });
  return (
    <FormFrame
      state={state}
      remedy={props.remedy}
      actions={
        <Button type="submit" variant="primary" busy={state.busy}>
          {t('setPassword.submit')}
        </Button>
      }
    >
      <OwnerOfPassword email={props.email} />
      <NewPasswordFields field={state.field} />
    </FormFrame>
  );
}
