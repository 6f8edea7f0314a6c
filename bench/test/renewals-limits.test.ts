import { expect, test } from 'vitest';
import { MOST_MEMORY, overLimits } from '../renewals/check-renewals.ts';

test('renewals fail above the rate limit of a kind of call and above the memory limit', () => {
  const most = new Map([
    ['POST /v1/payment_intents', 23],
    ['GET /v1/payment_intents', 25],
  ]);
  expect(overLimits({ calls: 25, most, peak: 300 })).toEqual([]);
  expect(overLimits({ calls: 20, most, peak: MOST_MEMORY + 1 })).toEqual([
    '23 calls in a second of POST /v1/payment_intents; the limit is 20',
    '25 calls in a second of GET /v1/payment_intents; the limit is 20',
    'worker and renderer used 641 MiB; the limit is 640',
  ]);
});
