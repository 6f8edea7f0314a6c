import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import { cardHolder } from '../../shop/card-holder.ts';
import type { Place } from './place.ts';

/**
 * Draft of an order that is not sent yet: survives reload, back navigation and a change of plan.
 * Stored for this window until the order is paid. Never card data and never consent, which belongs
 * to a sent order (`order-record.ts`).
 */
type OrderDraft = { email?: string; place?: Place; company?: BuyerDetails | undefined };

const KEY = 'orderDraft';

export const readOrderDraft = (): OrderDraft => readJson<OrderDraft>(tabStore, KEY) ?? {};

export const saveOrderDraft = (part: OrderDraft): void =>
  void tabStore.write(KEY, JSON.stringify({ ...readOrderDraft(), ...part }));

export const clearOrderDraft = (): void => {
  tabStore.remove(KEY);
  cardHolder.forget();
};
