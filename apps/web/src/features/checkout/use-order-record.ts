import { askOtherTabs } from '@fixpoint/ui/lib/other-tabs.ts';
import { useEffect, useState } from 'react';
import { type OrderRecord, orderKey, recallOrder, rememberOrder } from './order-record.ts';

/** `none`: the address names no order. `unknown`: no window of this browser knows the order. */
type Known = OrderRecord | 'none' | 'asking' | 'unknown';

/** The order of the page's address, from this window or another one. */
export function useOrderRecord(reference: string | null): Known {
  const [opened] = useState(reference);
  const [known, setKnown] = useState<Known>(() => recallOrder(opened) ?? (opened ? 'asking' : 'none'));
  useEffect(() => {
    if (known !== 'asking' || !opened) return;
    askOtherTabs(orderKey(opened)).then(answer => {
      if (answer) rememberOrder(JSON.parse(answer) as OrderRecord);
      setKnown(recallOrder(opened) ?? 'unknown');
    });
  }, [known, opened]);
  return known;
}
