import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';
import { type Person, refreshPeople } from './people.ts';
import { RoleChoice } from './role-choice.tsx';
import { UrlEnds } from './url-ends.tsx';

/** Changes what somebody may do. It holds for their open sessions at once. */
export function RoleDialog(props: { person: Person | undefined; onClose: () => void }) {
  const { person, onClose } = props;
  const t = useText();
  const [chosen, setChosen] = useState<Person['role']>();
  const close = () => {
    setChosen(undefined);
    onClose();
  };
  const save = useAction(async () => {
    await api.team.setRole({ body: { userId: person!.userId, role: chosen! } });
    close();
    await refreshPeople(t('account.emails.saved'));
  });
  return (
    <ConfirmDialog
      open={person !== undefined}
      onClose={close}
      title={t('team.change.label', { email: person?.email ?? '' })}
      closeLabel={t('app.close')}
      confirmLabel={t('team.change')}
      cancelLabel={t('app.cancel')}
      busy={save.busy}
      blocked={chosen === undefined || chosen === person?.role}
      onConfirm={() => save.run()}
    >
      <Stack gap={4}>
        <Problem error={save.error} />
        {person && <RoleChoice value={chosen ?? person.role} onChange={setChosen} />}
        {chosen === 'member' && person?.role !== 'member' && <UrlEnds />}
      </Stack>
    </ConfirmDialog>
  );
}
