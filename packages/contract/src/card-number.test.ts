import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { holdsCardNumber, maskCardNumbers } from './card-number.ts';

test.each([
  ['4242424242424242', '[card number]'],
  ['4242 4242 4242 4242', '[card number]'],
  ['my card 4242-4242-4242-4242, please', 'my card [card number], please'],
  ['card:5555_5555.5555-4444!', 'card:[card number]!'],
  ['3782 822463 10005 12/30 7373', '[card number] 12/30 7373'],
  // Neighbouring digits are not part of it.
  ['4242424242424242 12 26 123', '[card number] 12 26 123'],
  ['call 66 4242424242424242', 'call 66 [card number]'],
  ['6205500000000000004 (19 digits), 4222222222222 (13)', '[card number] (19 digits), [card number] (13)'],
  ['4242 – 4242 — 4242 4242', '[card number]'],
  ['4242\n4242\n4242\n4242', '[card number]'],
])('S41 %j contains a card number', (text, masked) => {
  expect(holdsCardNumber(text)).toBe(true);
  expect(maskCardNumbers(text)).toBe(masked);
});

test('S41 full-width digits count, too', () => {
  expect(holdsCardNumber('４２４２ ４２４２ ４２４２ ４２４２')).toBe(true);
});

test.each([
  ['4242424242424241'],
  ['424242424242'],
  ['42424242424242424242'],
  ['1795590966863'],
  ['9242424242424240'],
  ['+66 81 234 5678, invoice 2026-000123'],
  ['2026-11-25 10:20:30'],
  ['4242, 4242, 4242, 4242'],
  [''],
])('S41 %j contains none', text => {
  expect(holdsCardNumber(text)).toBe(false);
  expect(maskCardNumbers(text)).toBe(text);
});

test('S41 S62 a long text of digits is processed quickly', () => {
  const began = performance.now();
  for (const text of ['4'.repeat(100_000), '4 '.repeat(50_000), '4242 '.repeat(20_000)])
    maskCardNumbers(text);
  expect(performance.now() - began).toBeLessThan(2_000);
});
