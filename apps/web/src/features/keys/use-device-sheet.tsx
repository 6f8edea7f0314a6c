import { type ReactNode, useState } from 'react';
import type { SubscriptionKey } from '../../shop/subscriptions.ts';
import { DeviceSheet } from './device-sheet.tsx';

/**
 * Dialog that sets up a device: `setUp` opens it for a key, `sheet` is its element.
 * @param focusAfter target of the focus after closing, if what opened the dialog may be gone
 */
export function useDeviceSheet(
  subscriptionId: string,
  focusAfter?: (key: SubscriptionKey) => HTMLElement | null,
): {
  setUp: (key: SubscriptionKey) => void;
  sheet: ReactNode;
} {
  const [shown, setShown] = useState<SubscriptionKey>();
  const [open, setOpen] = useState(false);
  return {
    setUp: key => {
      setShown(key);
      setOpen(true);
    },
    sheet: shown && (
      <DeviceSheet
        key={shown.id}
        subscriptionId={subscriptionId}
        of={shown}
        open={open}
        onClose={() => setOpen(false)}
        focusAfter={() => focusAfter?.(shown) ?? null}
      />
    ),
  };
}
