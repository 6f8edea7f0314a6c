import { describe, expect, test } from 'vitest';
import { cardEnd, isPast, lookAtExpiry, tellFrom } from './card.ts';

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

describe('a saved card until 11/2026', () => {
  const card = { expiryMonth: 11, expiryYear: 2026 };

  test('can be charged until the month is over in Bangkok, and its owner is told 30 days before', () => {
    expect(cardEnd(card)).toEqual(new Date('2026-11-30T17:00:00Z'));
    expect(tellFrom(card)).toEqual(new Date('2026-10-31T17:00:00Z'));
    expect(cardEnd({ expiryMonth: 12, expiryYear: 2026 })).toEqual(new Date('2026-12-31T17:00:00Z'));
  });

  test.each([
    ['charged on its last day: the day after', '2026-11-30T16:59:59Z', new Date('2026-12-01T16:59:59Z')],
    ['charged as it is over: told', '2026-11-30T17:00:00Z', 'tell'],
    ['charged a year later: told', '2027-11-01T00:00:00Z', 'tell'],
    ['being charged since yesterday: tomorrow', '2026-10-30T18:00:00Z', new Date('2026-11-01T18:00:00Z')],
    ['charged by nothing: in a week', undefined, new Date('2026-11-07T18:00:00Z')],
  ])('%s', (_, charge, done) => {
    expect(lookAtExpiry(card, charge ? new Date(charge) : undefined, now)).toEqual(done);
  });
});
