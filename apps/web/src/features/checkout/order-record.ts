import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { answerOtherTabs } from '@fixpoint/ui/lib/other-tabs.ts';
import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import type { PayMethod } from '../../shop/pay-method.ts';

/**
 * What this window knows of an order it began: enough to read and pay it again after a reload, as it was to be paid.
 * Kept for the window alone, because the metadata is the right to see the order; told to another window of this browser
 * that asks for it. `termsVersion`: the terms that were agreed to when it was sent, for this order and no other.
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
