import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, session } from '../../server/api.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './people.ts';
import { WhatEnds } from './what-ends.tsx';

/** Leaves the account of the session, which ends with it. Says before what else does. */
export function Leave({ profile }: { profile: Profile }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const name = profile.customers.find(({ id }) => id === profile.customerId)?.name ?? '';
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['ownDevices'],
    queryFn: () => api.team.ownDevices({}),
    enabled: open,
    staleTime: 0,
  });
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
        blocked={!data}
        onConfirm={() => leave.run()}
      >
        <Stack gap={4}>
          <p>{t('team.leave.text')}</p>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={2} label={t('app.loading')} />}
          {data && <WhatEnds role={profile.role} devices={data.devices} own />}
          <Problem error={leave.error} />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
