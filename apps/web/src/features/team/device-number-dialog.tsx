import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { NumberOfDevices } from './number-of-devices.tsx';

/** Changes how many devices a member may have. Those that they have stay. */
export function DeviceNumberDialog(props: {
  subscriptionId: string;
  person: { userId: string; email: string; devices?: number | undefined };
  onClose: () => void;
}) {
  const t = useText();
  const { subscriptionId, person, onClose } = props;
  const [devices, setDevices] = useState(person.devices ?? 0);
  const save = useAction(async () => {
    await api.team.setAllowance({ body: { userId: person.userId, subscriptionId, devices } });
    onClose();
    snacks.show({ type: 'success', text: t('account.emails.saved') });
    await refreshSubscription(subscriptionId);
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('team.devices.change.label', { email: person.email })}
      closeLabel={t('app.close')}
      confirmLabel={t('team.devices.change')}
      cancelLabel={t('app.cancel')}
      busy={save.busy}
      blocked={devices === (person.devices ?? 0)}
      onConfirm={() => save.run()}
    >
      <Stack gap={4}>
        <Problem error={save.error} />
        <NumberOfDevices least={0} value={devices} onChange={setDevices} />
      </Stack>
    </ConfirmDialog>
  );
}
