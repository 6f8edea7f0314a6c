import { expect, test } from 'vitest';
import { declineCause, isPast } from './card.ts';

// Still October in London, November in Bangkok.
const now = new Date('2026-10-31T18:00:00Z');

test.each([
  [10, 2026, true],
  [11, 2026, true],
  [12, 2026, false],
  [12, 2025, true],
  [1, 2027, false],
])('a card until %i/%i is too old: %s', (expiryMonth, expiryYear, past) => {
  expect(isPast({ expiryMonth, expiryYear }, now)).toBe(past);
});

test('FU7 a cause is told where its holder can help it, never that a card is lost or stolen', () => {
  expect(declineCause('incorrect_cvc')).toBe('cvc');
  expect(declineCause('expired_card')).toBe('expiry');
  for (const silent of ['lost_card', 'stolen_card', 'fraudulent', 'generic_decline', 'toString', undefined]) {
    expect(declineCause(silent)).toBeUndefined();
  }
});
