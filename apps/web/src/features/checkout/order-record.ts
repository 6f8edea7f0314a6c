import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { answerOtherTabs } from '@fixpoint/ui/lib/other-tabs.ts';
import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import type { PayMethod } from '../../shop/pay-method.ts';

/**
 * What this window stores of its order, to show and pay it after a reload. Only for this window,
 * because the metadata grants access to the order; other windows of the browser can ask for it.
 * `termsVersion`: terms accepted for this order and no other.
 */
export type OrderRecord = {
  metadata: string;
  email?: string;
  method?: PayMethod['method'];
  termsVersion?: string;
};

const PREFIX = 'order.';
export const orderKey = (reference: string) => `${PREFIX}${reference}`;
answerOtherTabs(PREFIX);

export function rememberOrder(record: OrderRecord): string {
  const reference = parseMetadata(record.metadata)?.reference ?? '';
  tabStore.write(orderKey(reference), JSON.stringify(record));
  return reference;
}

export const recallOrder = (reference: string | null): OrderRecord | undefined =>
  reference ? readJson<OrderRecord>(tabStore, orderKey(reference)) : undefined;
