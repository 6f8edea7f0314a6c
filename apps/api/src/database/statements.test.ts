import { expect, test } from 'vitest';
import { statementNames } from './statements.ts';

test('FP1 a pool names a limited number of statements, and pools do not affect each other', () => {
  const [busy, other] = [statementNames(), statementNames()];
  const named = Array.from({ length: 600 }, (_, n) => busy(`select ${n}`)).filter(Boolean);
  expect(new Set(named).size).toBe(500);
  expect(busy('select 1')).toBe(named[1]);
  expect(other('select 600')).toBeDefined();
});
