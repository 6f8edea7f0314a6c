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
  // What the shop has done is one line; the customer's own steps are what is left.
  const isTested = steps.some(({ id }) => id === 'tested');
  const done = t(isTested ? 'success.done' : 'success.done.untested');
  const summary = { id: 'done', label: done, state: 'done', stateLabel: t('success.state.done') } as const;
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
        steps={steps.every(({ state }) => state === 'done') ? [summary] : steps}
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
