import { expect, test } from 'vitest';
import { MOST_MEMORY, overLimits } from '../renewals/verdict.ts';

test('a day of renewals fails above what the provider allows of one kind, and above a bound of memory', () => {
  const most = new Map([
    ['POST /v1/payment_intents', 23],
    ['GET /v1/payment_intents', 25],
  ]);
  expect(overLimits({ calls: 25, most, peak: 300 })).toEqual([]);
  expect(overLimits({ calls: 20, most, peak: MOST_MEMORY + 1 })).toEqual([
    '23 calls in a second of POST /v1/payment_intents, where 20 are allowed',
    '25 calls in a second of GET /v1/payment_intents, where 20 are allowed',
    'the worker and its renderer had 641 MiB at once, more than 640',
  ]);
});
