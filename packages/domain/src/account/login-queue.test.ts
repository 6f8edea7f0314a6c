import { expect, test } from 'vitest';
import { loginQueueNeeds } from './login-queue.ts';

test.each([
  [29, false, 'nothing'],
  [30, false, 'proof'],
  [30, true, 'nothing'],
  [299, true, 'nothing'],
  [300, true, 'retryLater'],
  [300, false, 'retryLater'],
] as const)('FS5 a login behind %i strangers, proved: %s, needs %s', (waiting, proved, needs) => {
  expect(loginQueueNeeds(waiting, proved)).toBe(needs);
});
