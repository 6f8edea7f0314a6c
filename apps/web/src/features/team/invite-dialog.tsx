import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { SendOrCancel } from '../../forms/send-or-cancel.tsx';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';
import { type Given, givenTo, MemberChoice } from './member-choice.tsx';
import { type Person, refreshPeople } from './people.ts';
import { RoleChoice } from './role-choice.tsx';

/** Asks whom to invite, and what they may do. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  return (
    <Dialog open={open} onClose={onClose} title={t('team.invite')} closeLabel={t('app.close')}>
      {open && <InviteForm onClose={onClose} />}
    </Dialog>
  );
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const t = useText();
  const [role, setRole] = useState<Person['role']>('buyer');
  const [given, setGiven] = useState<Given>({ devices: 1 });
  const state = useFormState({
    defaultValues: { email: '' },
    fields: ['email'],
    refusals: { 5002: ['email', 'errorCode.5002'] },
    send: async values => {
      const email = normalEmail(values.email);
      const gives = role === 'member' ? await givenTo(given) : {};
      await api.team.invite({ body: { email, role, ...gives } });
      onClose();
      await refreshPeople(t('team.invited', { email }));
    },
  });
  return (
    <FormFrame
      state={state}
      single
      actions={<SendOrCancel busy={state.busy} submit={t('team.invite.send')} onCancel={onClose} />}
    >
      <TextField
        type="email"
        label={t('login.email')}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...state.field('email', validateWith(emailRule))}
      />
      <RoleChoice value={role} onChange={setRole} />
      {role === 'member' && <MemberChoice value={given} onChange={setGiven} />}
    </FormFrame>
  );
}
