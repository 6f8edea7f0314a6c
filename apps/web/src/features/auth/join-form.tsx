import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import type { ReactNode } from 'react';
import { NewPasswordFields, OwnerOfPassword } from '../../forms/new-password.tsx';
import { shownLanguage } from '../../routing/language.ts';
import { api } from '../../server/api.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';
import { beginSession } from './log-in.ts';

/** Accepts an invitation as a new user: the link has shown that the address is theirs. */
export function JoinForm(props: {
  email: string;
  token: string;
  /** Links that open the terms and the privacy policy. */
  documents: ReactNode;
  onJoined: () => void;
}) {
  const t = useText();
  const { email, token, documents, onJoined } = props;
  const terms = useLegal('terms');
  const state = useFormState({
    defaultValues: { password: '', confirm: '', agreed: false },
    fields: ['password', 'confirm', 'agreed'],
    refusals: { 7000: ['password', 'errorCode.7000'] },
    send: async ({ password }) => {
      const { data } = await api.team.acceptInvitation({
        body: {
          password,
          language: shownLanguage.get(),
          termsVersion: terms.data?.version ?? '',
          refreshIn: 'cookie',
        },
        bearer: token,
      });
      beginSession(data, { email });
      onJoined();
    },
  });
  return (
    <FormFrame
      state={state}
      actions={
        <Button type="submit" variant="primary" busy={state.busy || terms.isPending}>
          {t('team.join.submit')}
        </Button>
      }
    >
      <OwnerOfPassword email={email} />
      <NewPasswordFields field={state.field} />
      {terms.error && <LoadError error={terms.error} onRetry={terms.refetch} />}
      <Checkbox
        label={t('signUp.agree')}
        hint={documents}
        {...state.field('agreed', agreed => agreed || 'signUp.agree.required')}
      />
    </FormFrame>
  );
}
