import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import type { Place } from './place.ts';

/**
 * What was chosen and typed before there is an order: it survives a reload, help, the way back and another plan.
 * Kept for the window alone, until the order is paid. Never of a card, and no consent: that belongs to
 * an order that was sent (`order-record.ts`).
 */
type OrderDraft = { email?: string; place?: Place };

const KEY = 'orderDraft';

export const readOrderDraft = (): OrderDraft => readJson<OrderDraft>(tabStore, KEY) ?? {};

export const keepOrderDraft = (part: OrderDraft): void =>
  void tabStore.write(KEY, JSON.stringify({ ...readOrderDraft(), ...part }));

export const dropOrderDraft = (): void => tabStore.remove(KEY);
