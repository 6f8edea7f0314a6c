import { SHOP_STATUS, type ShopStatus } from '@fixpoint/contract/shop-status.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Status of the shop: by the live socket, by a header of every answer, and by asking. */
export const shopStatus = createStore<ShopStatus>('NORMAL');

let heardAt = Number.NEGATIVE_INFINITY;

/** From the live socket, which knows first. */
export function hearStatus(status: ShopStatus) {
  heardAt = performance.now();
  shopStatus.set(status);
}

/**
 * From an answer of the server.
 * @param askedAt when it was asked for (`performance.now()`): an answer that was under way while the
 * socket reported a change is older than that
 */
export function answerStatus(status: string | null | undefined, askedAt: number) {
  if (askedAt < heardAt) return;
  if (status === 'NORMAL' || status === 'MAINTENANCE') shopStatus.set(status);
}

/** From the header of any answer. */
export const readStatus = (headers: Headers, askedAt: number) =>
  answerStatus(headers.get(SHOP_STATUS), askedAt);
