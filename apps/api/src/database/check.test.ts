import { expect, test } from 'vitest';
import { versionFault } from './check.ts';

test('PostgreSQL before 15 is refused with its version, 15 and later are accepted', () => {
  expect(versionFault('14.12 (Debian 14.12-1)')).toBe(
    'PostgreSQL 14.12 (Debian 14.12-1) is too old: Fixpoint needs 15 or newer.',
  );
  expect(versionFault('9.6.24')).toContain('too old');
  for (const version of ['15.18 (Debian 15.18-0+deb12u1)', '16beta1', '18.4'])
    expect(versionFault(version)).toBeUndefined();
});
