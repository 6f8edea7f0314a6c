import { expect, test } from 'vitest';
import { isPast } from './card.ts';

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
