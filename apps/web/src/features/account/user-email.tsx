import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { type CodeFlow, codeFlow, useCodeFlow } from '../../forms/code-flow.ts';
import { CodeStep } from '../../forms/code-step.tsx';
import { FormInPlace } from '../../forms/form-in-place.tsx';
import { api } from '../../server/api.ts';
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './profile.ts';

/** The user's address, changed in place: the new one, then the code that was sent to it. */
export function UserEmail({ profile }: { profile: Profile }) {
  const t = useText();
  const [isEditing, setEditing] = useState(false);
  const [flow, setFlow] = useCodeFlow(`changeEmail.${profile.id}`);
  const opener = useFocusAfter();
  const end = () =>
    opener.after(() => {
      setFlow(undefined);
      setEditing(false);
    });
  return (
    <Stack gap={4}>
      <Cluster gap={3}>
        <span>{profile.email}</span>
        {!isEditing && !flow && (
          <Button ref={opener.ref} size="s" onClick={() => setEditing(true)}>
            {t('account.email.change')}
          </Button>
        )}
      </Cluster>
      {isEditing && !flow && <AddressForm onSent={setFlow} onEnd={end} />}
      {flow && (
        <CodeStep
          flow={flow}
          lead={t('code.sent', { email: flow.email, minutes: flow.validMinutes })}
          onFlow={setFlow}
          onBack={end}
          backLabel={t('app.cancel')}
          onCode={async code => {
            const { email } = await api.account.confirmEmail({ body: { flow: flow.flow, code } });
            snacks.show({ type: 'success', text: t('account.email.changed', { email }) });
            await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
            end();
          }}
        />
      )}
    </Stack>
  );
}

function AddressForm({ onSent, onEnd }: { onSent: (flow: CodeFlow) => void; onEnd: () => void }) {
  const t = useText();
  const state = useFormState({
    defaultValues: { email: '' },
    fields: ['email'],
    send: async values => {
      const email = normalEmail(values.email);
      onSent(codeFlow(email, await api.account.changeEmail({ body: { email } })));
    },
  });
  return (
    <FormInPlace state={state} submit={t('forgot.submit')} onEnd={onEnd}>
      <TextField
        type="email"
        label={t('account.email.new')}
        hint={t('account.email.lead')}
        width="m"
        autoFocus
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...state.field('email', validateWith(emailRule))}
      />
    </FormInPlace>
  );
}
