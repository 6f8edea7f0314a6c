import { expect, test } from 'vitest';
import { judgeHealth, type Measured } from './health.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 29, 12, 0, second));
const well: Measured = {
  database: { now: at(1), difference: { missing: 0, foreign: 0 } },
  asked: { from: at(0), to: at(2) },
  freeBytes: 300 * 1024 * 1024,
};
const judged = (change: Partial<Measured>) => judgeHealth({ ...well, ...change }, 256);
const withDatabase = (change: Partial<Exclude<Measured['database'], Error>>) =>
  judged({ database: { ...(well.database as Exclude<Measured['database'], Error>), ...change } });

test('a node is ready while everything is well', () => {
  expect(judged({})).toEqual({
    ready: true,
    checks: { database: 'ok', migrations: 'ok', clock: 'ok', disk: 'ok' },
  });
});

test('nothing is claimed about what a silent database would have to say', () => {
  expect(judged({ database: new Error('connect ECONNREFUSED 10.0.0.5:5432') })).toEqual({
    ready: false,
    checks: {
      database: 'does not answer, or cannot be written',
      migrations: 'unknown',
      clock: 'unknown',
      disk: 'ok',
    },
  });
});

test('a node is not ready with migrations of another version', () => {
  expect(withDatabase({ difference: { missing: 2, foreign: 0 } }).checks.migrations).toContain('lacks 2');
  expect(withDatabase({ difference: { missing: 0, foreign: 1 } })).toMatchObject({ ready: false });
});

test('a node is not ready with a clock more than 30 s beside that of the database', () => {
  // The answer may have been on its way for as long as the question took.
  expect(withDatabase({ now: at(32) }).ready).toBe(true);
  expect(withDatabase({ now: at(33) })).toMatchObject({
    ready: false,
    checks: { clock: '31 s behind the clock of the database' },
  });
  expect(withDatabase({ now: at(-30) }).ready).toBe(true);
  expect(withDatabase({ now: at(-31) }).checks.clock).toBe('31 s ahead of the clock of the database');
});

test('a node is not ready on a full disk, or one that cannot be read', () => {
  expect(judged({ freeBytes: 255.9 * 1024 * 1024 })).toMatchObject({
    ready: false,
    checks: { disk: '255 MiB free in the data folder, 256 are needed' },
  });
  expect(judged({ freeBytes: 256 * 1024 * 1024 }).ready).toBe(true);
  expect(judged({ freeBytes: new Error('EACCES') }).ready).toBe(false);
});
