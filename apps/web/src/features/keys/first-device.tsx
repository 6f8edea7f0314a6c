import { useSubscription } from '../../shop/subscriptions.ts';
import { AddDevice } from './add-device.tsx';
import { useDeviceSheet } from './use-device-sheet.tsx';

/**
 * Adds and sets up the first device of a new subscription on the same page. Renders nothing if
 * there is one.
 */
export function FirstDevice({ subscriptionId, lead }: { subscriptionId: string; lead: string }) {
  const { data } = useSubscription(subscriptionId);
  const { setUp, sheet } = useDeviceSheet(subscriptionId);
  return (
    <>
      {data?.keys.length === 0 && data.allowedActions.includes('addKey') && (
        <>
          <p>{lead}</p>
          <AddDevice subscription={data} onAdded={setUp} />
        </>
      )}
      {sheet}
    </>
  );
}
