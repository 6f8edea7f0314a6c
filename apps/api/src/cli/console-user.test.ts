import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { consoleUser } from './console-user.ts';

const self = `console:${userInfo().username}`;

test.each([
  ['ann', 'console:ann'],
  ['_ops-2.night', 'console:_ops-2.night'],
  [undefined, self],
  ['', self],
  ['ann bob', self],
  ['ann\nbob', self],
  ['ann@example.com', self],
  ['a'.repeat(33), self],
])('the audit log names who ran the command of the package: %j', (FIXPOINT_OPERATOR, actor) => {
  expect(consoleUser({ FIXPOINT_OPERATOR })).toBe(actor);
});
