import { expect, test } from 'vitest';
import { pseudo } from './pseudo.ts';

test('pseudo texts are longer, have accents and keep their arguments', () => {
  expect(pseudo('Log in')).toBe('[Łög îñ löñ]');
  const plural = 'Add {count, plural, one {# device} other {# devices}} for {amount}';
  expect(pseudo(plural)).toContain('{count, plural, one {# device} other {# devices}}');
  expect(pseudo(plural)).toContain('{amount}');
  const long = 'Enter the e-mail address of your account.';
  expect(pseudo(long).length).toBeGreaterThanOrEqual(long.length * 1.4);
});
