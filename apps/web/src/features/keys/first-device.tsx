import { useSubscription } from '../../shop/subscriptions.ts';
import { AddDevice } from './add-device.tsx';
import { useDeviceSheet } from './use-device-sheet.tsx';

/**
 * The first device of a subscription that was just bought: added and set up without leaving the page. Nothing where
 * there is one already.
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
