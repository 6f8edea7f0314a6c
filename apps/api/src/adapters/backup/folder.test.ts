import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addSince, BACKUP_FILE, backupName, mergeSince, readSince } from './folder.ts';

test('names of backups sort by time', () => {
  const names = ['2026-12-01T03:00:00.123Z', '2027-01-01T00:00:00.000Z'].map(at => backupName(new Date(at)));
  expect(names).toEqual(['fixpoint-20261201T030000Z.backup.age', 'fixpoint-20270101T000000Z.backup.age']);
  expect(names.every(name => BACKUP_FILE.test(name))).toBe(true);
});

test('nobody leaves the list beside the backups, and no series goes back, also after a restore of an older backup', () => {
  const before = { at: '2026-12-01T00:00:00Z', deletedAccounts: ['cus_a', 'cus_b'], numbers: { '2026': 9 } };
  const now = {
    at: '2026-12-02T00:00:00Z',
    deletedAccounts: ['cus_c', 'cus_b'],
    numbers: { '2026': 7, CN2026: 1 },
  };
  expect(mergeSince(before, now)).toEqual({
    at: now.at,
    deletedAccounts: ['cus_a', 'cus_b', 'cus_c'],
    numbers: { '2026': 9, CN2026: 1 },
  });
  expect(mergeSince(undefined, before)).toEqual(before);
});

test('OP2 the list is written again on a machine that was restored, where the folder of the backups is gone', async () => {
  const machine = await mkdtemp(join(tmpdir(), 'fixpoint-since-'));
  onTestFinished(() => rm(machine, { recursive: true }));
  const [folder, since] = [
    join(machine, 'backups'),
    { at: '2026-12-01T00:00:00Z', deletedAccounts: ['cus_a'], numbers: {} },
  ];
  expect(await addSince(folder, since)).toBe(true);
  expect(await readSince(folder)).toEqual(since);
});
