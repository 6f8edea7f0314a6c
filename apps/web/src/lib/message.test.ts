import { expect, test } from 'vitest';
import { formatMessage, icuReady, loadIcu, needsIcu } from './message.ts';

test('plain messages need no formatter, and keep what has no value', () => {
  expect(formatMessage('Pay {amount} to {name}', 'en', { amount: 'THB 1.00' })).toBe(
    'Pay THB 1.00 to {name}',
  );
  expect(formatMessage("Passwords don't match.", 'en')).toBe("Passwords don't match.");
  expect(icuReady.get()).toBe(false);
});

test('plurals follow the language', async () => {
  const message = '{count, plural, one {# device} other {# devices}}';
  expect(needsIcu(message)).toBe(true);
  await loadIcu();
  expect(icuReady.get()).toBe(true);
  expect(formatMessage(message, 'en', { count: 1 })).toBe('1 device');
  expect(formatMessage(message, 'en', { count: 5 })).toBe('5 devices');
});
