import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { readJson, tabStore } from '../../lib/storage.ts';
import type { PayMethod } from '../../shop/pay-method.ts';

/**
 * What this window knows of an order it began: enough to read and pay it again after a reload, as it was to be paid. Kept for the window
 * alone, because the metadata is the right to see the order.
 */
export type OrderRecord = { metadata: string; email?: string; method?: PayMethod['method'] };

const key = (reference: string) => `order.${reference}`;

export function rememberOrder(record: OrderRecord): string {
  const reference = parseMetadata(record.metadata)?.reference ?? '';
  tabStore.write(key(reference), JSON.stringify(record));
  return reference;
}

export const recallOrder = (reference: string | null): OrderRecord | undefined =>
  reference ? readJson<OrderRecord>(tabStore, key(reference)) : undefined;
