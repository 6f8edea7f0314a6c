import { describe, expect, test } from 'vitest';
import { cardEnd, checkCardExpiry, isPast, isUnsupportedDebit, notifyFrom } from './card.ts';

// Still October in London, already November in Bangkok.
const now = new Date('2026-10-31T18:00:00Z');

test.each([
  [10, 2026, true],
  [11, 2026, true],
  [12, 2026, false],
  [12, 2025, true],
  [1, 2027, false],
])('a card valid until %i/%i has expired: %s', (expiryMonth, expiryYear, past) => {
  expect(isPast({ expiryMonth, expiryYear }, now)).toBe(past);
});

describe('a saved card until 11/2026', () => {
  const card = { expiryMonth: 11, expiryYear: 2026 };

  test('can be charged until the month is over in Bangkok, and its owner is notified 30 days before', () => {
    expect(cardEnd(card)).toEqual(new Date('2026-11-30T17:00:00Z'));
    expect(notifyFrom(card)).toEqual(new Date('2026-10-31T17:00:00Z'));
    expect(cardEnd({ expiryMonth: 12, expiryYear: 2026 })).toEqual(new Date('2026-12-31T17:00:00Z'));
  });

  test.each([
    [
      'charged on its last day: checked the day after',
      '2026-11-30T16:59:59Z',
      new Date('2026-12-01T16:59:59Z'),
    ],
    ['charged as it expires: notified', '2026-11-30T17:00:00Z', 'notify'],
    ['charged a year later: notified', '2027-11-01T00:00:00Z', 'notify'],
    [
      'charge running since yesterday: checked tomorrow',
      '2026-10-30T18:00:00Z',
      new Date('2026-11-01T18:00:00Z'),
    ],
    ['no charge: checked in a week', undefined, new Date('2026-11-07T18:00:00Z')],
  ])('%s', (_, charge, done) => {
    expect(checkCardExpiry(card, charge ? new Date(charge) : undefined, now)).toEqual(done);
  });
});

const bank = 'KASIKORNBANK PUBLIC COMPANY LIMITED';
test.each([
  ['debit', bank, true],
  ['credit', bank, false],
  ['prepaid', bank, false],
  ['debit', 'BANGKOK BANK PCL', true],
  ['debit', 'SIAM COMMERCIAL BANK', false],
  ['debit', undefined, false],
  [undefined, bank, false],
])('W51 a %s card of %s is not taken: %s', (funding, issuer, unsupported) => {
  expect(isUnsupportedDebit({ funding, issuer }, ['Kasikornbank', 'Bangkok-Bank'])).toBe(unsupported);
});
