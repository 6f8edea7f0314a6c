import { expect, test } from 'vitest';
import { type BackupHeader, parseHeader } from './header.ts';

const header: BackupHeader = {
  format: 'fixpoint-backup',
  layout: 1,
  version: '0.3.0',
  at: '2026-12-01T03:00:00.000Z',
  shopAt: '2026-12-01T03:00:00.000Z',
  postgres: 15,
  pgDump: 15,
  migrations: [{ name: '0001_shop.sql', kind: 'contract', sha256: 'ab' }],
  queue: 43,
  counts: { customers: 2 },
  keyFingerprint: null,
  masterKey: null,
};
const parse = (value: unknown) => parseHeader(JSON.stringify(value), 'FILE');

test('the first line of a backup says what it is of', () => {
  expect(parse(header)).toEqual(header);
});

test.each([
  ['hello', 'FILE is not a backup of Fixpoint.'],
  [JSON.stringify({ format: 'other', layout: 1, version: '1' }), 'FILE is not a backup of Fixpoint.'],
  [
    JSON.stringify({ format: 'fixpoint-backup', layout: 2, version: '9.0.0', unknown: true }),
    'made by a newer version of Fixpoint (9.0.0)',
  ],
  [
    JSON.stringify({ format: 'fixpoint-backup', layout: 1, version: '0.3.0' }),
    'FILE is not a complete backup of Fixpoint.',
  ],
])('another first line is refused: %s', (line, why) => {
  expect(() => parseHeader(line, 'FILE')).toThrow(why);
});
