import { Alert } from '@fixpoint/ui/alert.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useEffect, useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { FixpointSteps } from './fixpoint-steps.tsx';
import { type OrderProgress, orderSteps, waitsForHost } from './order-steps.ts';

/**
 * After this time a text says that the customer need not wait. At once if the order waits for a
 * host.
 */
const LONG_MS = 15_000;

/** Progress from the payment to the customer's own address: the dot lands on the IP. */
export function SetupSteps({ order }: { order: OrderProgress }) {
  const t = useText();
  const { subscription } = order;
  const steps = orderSteps(order).map(
    ({ id, state }) =>
      ({ id, label: t(`success.step.${id}`), state, stateLabel: t(`success.state.${state}`) }) as const,
  );
  const waits = steps.some(({ state }) => state === 'running');
  const [short, setShort] = useState(true);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setShort(false), LONG_MS);
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
      {!waits && subscription?.tested === false && (
        <Alert type="warning">{t('success.untested', { why: t('why.title') })}</Alert>
      )}
      {waits && (!short || waitsForHost(order)) && <p role="status">{t('success.preparing')}</p>}
    </Stack>
  );
}
