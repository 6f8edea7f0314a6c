import { expect, test } from 'vitest';
import { type CollectionMethod, collectionMethod } from './collection-method.ts';

test.each<[string | null, string | null, boolean, CollectionMethod]>([
  ['card', 'card', false, 'chargeAutomatically'],
  ['card', null, false, 'chargeAutomatically'],
  [null, 'card', false, 'sendInvoice'],
  [null, null, false, 'sendInvoice'],
  ['card', 'bitcoin', false, 'sendInvoice'],
  ['bitcoin', 'card', false, 'sendInvoice'],
  ['card', 'card', true, 'sendInvoice'],
  ['card', null, true, 'sendInvoice'],
])('P11 saved %s, last paid by %s, a gift: %s → %s', (saved, last, isGift, method) => {
  expect(collectionMethod({ saved, last, isGift }, each => each === 'card')).toBe(method);
});
