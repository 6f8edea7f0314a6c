import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api, session } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './people.ts';

/** Leaves the account of the session, which ends with it. */
export function Leave({ profile }: { profile: Profile }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const name = profile.customers.find(({ id }) => id === profile.customerId)?.name ?? '';
  const leave = useAction(async () => {
    await api.team.leave({ body: {} });
    session.logOut();
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('team.leave')}</Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('team.leave.title', { name })}
        closeLabel={t('app.close')}
        confirmLabel={t('team.leave')}
        cancelLabel={t('app.cancel')}
        danger
        busy={leave.busy}
        onConfirm={() => leave.run()}
      >
        <Stack gap={4}>
          <p>{t('team.leave.text')}</p>
          <Problem error={leave.error} />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
