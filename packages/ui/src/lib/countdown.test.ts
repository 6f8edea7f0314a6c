import { expect, test } from 'vitest';
import { asClock } from './countdown.ts';

test.each([
  [0, '0:00'],
  [59, '0:59'],
  [899, '14:59'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [86_352, '23:59:12'],
])('%i seconds read %s', (seconds, text) => expect(asClock(seconds)).toBe(text));
