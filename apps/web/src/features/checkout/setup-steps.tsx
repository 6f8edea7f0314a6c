import { useEffect, useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { FixpointSteps } from '../../ui/fixpoint-steps.tsx';
import { Stack } from '../../ui/layout.tsx';
import type { OrderProgress } from './use-order-progress.ts';
import { waitsForHost } from './waits-for-host.ts';

/** After this long the customer is told that he need not wait; at once where nobody can say for how long. */
const PATIENCE_MS = 15_000;

/** From the payment to the customer's own address: the steps draw themselves, the dot lands on the IP. */
export function SetupSteps({ order }: { order: OrderProgress }) {
  const t = useText();
  const { subscription } = order;
  const done = [
    order.status === 'paid' || order.status === 'fulfilled',
    subscription?.address !== undefined,
    subscription?.address !== undefined,
    subscription?.status === 'active',
  ];
  const running = done.indexOf(false);
  const steps = (['paid', 'host', 'ip', 'ready'] as const).map((id, index) => {
    const state = done[index] ? 'done' : index === running ? 'running' : 'waiting';
    return { id, label: t(`success.step.${id}`), state, stateLabel: t(`success.state.${state}`) } as const;
  });
  const waits = running !== -1;
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return (
    <Stack>
      <FixpointSteps
        label={t('success.steps')}
        steps={steps}
        landing={subscription?.address}
        landingLabel={t('success.address')}
      />
      {waits && (!patient || waitsForHost(order)) && <p role="status">{t('success.preparing')}</p>}
    </Stack>
  );
}
