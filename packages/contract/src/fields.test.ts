import { expect, test } from 'vitest';
import { keyNameOf, keyNameRule } from './fields.ts';

test.each([
  ['Anna’s laptop', 'annas-laptop'],
  ['  Büro / Küche  ', 'buro-kuche'],
  ['โทรศัพท์ของแอน', 'ios'],
  ['', 'ios'],
  ['CON', 'ios'],
  ['...', 'ios'],
  ['4242 4242 4242 4242', 'ios'],
  ['x'.repeat(80), 'x'.repeat(60)],
])('FU3 a key is named after its device: %s → %s', (label, name) => {
  expect(keyNameOf(label, 'ios', [])).toBe(name);
  expect(keyNameRule(name)).toBeUndefined();
});

test('FU3 two devices may be called the same, their keys are not', () => {
  expect(keyNameOf('Laptop', 'windows', ['LAPTOP', 'laptop-2'])).toBe('laptop-3');
});
