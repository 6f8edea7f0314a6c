import { expect, test } from 'vitest';
import { isDatabaseGone } from './database-gone.ts';

test('FM11 a full disk, a server that stops or starts and a lost connection are the database’s faults, not ours', () => {
  for (const code of [
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '08P01',
    '57014',
    'ECONNREFUSED',
  ])
    expect(isDatabaseGone(Object.assign(new Error('x'), { code })), code).toBe(true);
  for (const message of [
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ])
    expect(isDatabaseGone(new Error(message)), message).toBe(true);
});

test('PostgreSQL’s answer to a wrong statement is our fault', () => {
  for (const code of ['42501', '23505', '42P01', '0A000', '40001', '57000'])
    expect(isDatabaseGone(Object.assign(new Error('x'), { code })), code).toBe(false);
  expect(isDatabaseGone(new TypeError('x is not a function'))).toBe(false);
});
