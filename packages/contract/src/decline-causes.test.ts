import { expect, test } from 'vitest';
import { declineCause } from './decline-causes.ts';

test('FU7 a cause is shown where the holder can help it, never that a card is lost or stolen', () => {
  expect(declineCause('incorrect_cvc')).toBe('cvc');
  expect(declineCause('expired_card')).toBe('expiry');
  for (const silent of ['lost_card', 'stolen_card', 'fraudulent', 'generic_decline', 'toString', undefined]) {
    expect(declineCause(silent)).toBeUndefined();
  }
});
