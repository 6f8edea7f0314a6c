import { expect, test } from 'vitest';
import { variantsOf } from './message-variants.ts';

test('a message has one variant for each choice of its plurals and selects', () => {
  expect(variantsOf('Hello, {name}')).toEqual(['Hello, {name}']);
  expect(
    variantsOf('{n, plural, =1 {one key} other {# keys}} of {max} {cycle, select, 1 {now} other {later}}'),
  ).toEqual([
    'one key of {max} now',
    'one key of {max} later',
    '{#} keys of {max} now',
    '{#} keys of {max} later',
  ]);
  expect(() => variantsOf('{name')).toThrow();
});
