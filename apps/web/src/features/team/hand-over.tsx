import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';
import { type Person, refreshPeople } from './people.ts';

/** Makes somebody else an owner, and oneself a buyer. */
export function HandOver({ others }: { others: Person[] }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [userId = others[0]!.userId, setUserId] = useState<string>();
  const handOver = useAction(async () => {
    await api.team.handOver({ body: { userId } });
    setOpen(false);
    await refreshPeople(t('account.emails.saved'));
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('team.handOver.submit')}</Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('team.handOver.submit')}
        closeLabel={t('app.close')}
        confirmLabel={t('team.handOver.submit')}
        cancelLabel={t('app.cancel')}
        busy={handOver.busy}
        onConfirm={() => handOver.run()}
      >
        <Stack gap={4}>
          <p>{t('team.handOver.text')}</p>
          <Problem error={handOver.error} />
          <Select
            label={t('team.handOver')}
            value={userId}
            options={others.map(({ userId: value, email }) => ({ value, label: email }))}
            onChange={({ target }) => setUserId(target.value)}
          />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
