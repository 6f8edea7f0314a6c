import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { measureDown, measureUp } from '../../server/measure.ts';
import { useFormat } from '../../shop/format.ts';
import { type SubscriptionItem, useConnected } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Measures the line of a subscription from a connected device. Results are not stored. */
export function Measure({ subscription: { id, address } }: { subscription: SubscriptionItem }) {
  const t = useText();
  const { number } = useFormat();
  const { data, refetch } = useConnected();
  const [measured, setMeasured] = useState<{ down: number; up: number }>();
  const measure = useAction(async () => {
    setMeasured(undefined);
    const { ticket } = await api.subscription.measure({ body: { id } });
    // The device has left the VPN meanwhile.
    if (ticket === undefined) await refetch();
    else setMeasured({ down: await measureDown(ticket), up: await measureUp(ticket) });
  });
  if (!data || !address) return null;
  if (!data.ids.includes(id)) return <p className="muted">{t('bandwidth.measure.away', { address })}</p>;
  // No line is steady enough for more digits.
  const figure = (rate: number) => number(Number(rate.toPrecision(rate < 100 ? 2 : 3)));
  return (
    <Cluster>
      <Button busy={measure.busy} onClick={measure.run}>
        {t('bandwidth.measure.start')}
      </Button>
      <p role="status" className="muted">
        {measure.busy && <span>{t('bandwidth.measure.busy')}</span>}
        {measured && (
          <span>
            {t('bandwidth.measure.result', { down: figure(measured.down), up: figure(measured.up) })}
          </span>
        )}
      </p>
    </Cluster>
  );
}
