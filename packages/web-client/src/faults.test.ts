import { expect, test } from 'vitest';
import { Fault, isDefinite, Refusal } from './faults.ts';

test.each([
  ['6001', 400, true],
  ['8001', 401, true],
  ['8002', 403, true],
  ['9900', 404, true],
  // A body code under HTTP 200.
  ['6001', 200, true],
  ['9905', 429, false],
  ['9900', 500, false],
  ['9902', 503, false],
] as const)('SP19 whether code %s with HTTP %s is a definite refusal: %s', (code, status, definite) => {
  expect(isDefinite(new Refusal(code, status))).toBe(definite);
});

test('no answer refuses nothing', () => {
  expect(isDefinite(new Fault('no answer'))).toBe(false);
});
