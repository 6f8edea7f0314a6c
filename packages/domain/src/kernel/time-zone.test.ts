import { expect, test } from 'vitest';
import { dayIn } from './time-zone.ts';

test.each([
  // Half past seven in the evening in Berlin, half past one of the next year in Bangkok.
  ['DE', '2026-12-31T18:30:00Z', '2026-12-31'],
  ['TH', '2026-12-31T18:30:00Z', '2027-01-01'],
  [undefined, '2026-12-31T18:30:00Z', '2027-01-01'],
  // Daylight saving: midnight in Berlin is 22:00 in summer and 23:00 in winter.
  ['DE', '2026-07-31T21:59:59Z', '2026-07-31'],
  ['DE', '2026-07-31T22:00:00Z', '2026-08-01'],
  ['DE', '2026-11-30T22:59:59Z', '2026-11-30'],
  ['DE', '2026-11-30T23:00:00Z', '2026-12-01'],
  ['JP', '2026-08-31T15:00:00Z', '2026-09-01'],
  // Of several zones that of the capital.
  ['US', '2026-09-01T03:59:59Z', '2026-08-31'],
  ['PT', '2026-08-31T23:00:00Z', '2026-09-01'],
  ['AU', '2026-08-31T14:00:00Z', '2026-09-01'],
])('MO10 the day in %s at %s is %s', (country, at, day) => {
  expect(dayIn(country, new Date(at))).toBe(day);
});

test('every country of the time zone data has a day', () => {
  const at = new Date('2026-09-01T12:00:00Z');
  for (let one = 65; one <= 90; one += 1)
    for (let two = 65; two <= 90; two += 1) {
      const country = String.fromCharCode(one, two);
      expect(dayIn(country, at), country).toMatch(/^2026-0[89]-\d{2}$/);
    }
});
