import { expect, test } from 'vitest';
import { closestProgram, connectionOf, isTooOld, lastLineOfSsh } from './programs.ts';

const of = (...majors: number[]) => majors.map(major => ({ path: `/${major}/pg_dump`, major }));
const closest = (...majors: number[]) => closestProgram('pg_dump', of(...majors), 16, 'the database');

test('the oldest program that is new enough is used', () => {
  expect(closest(18, 15, 17).path).toBe('/17/pg_dump');
  expect(closest(16, 17).path).toBe('/16/pg_dump');
});

test('a missing or too old program is named with the package to install', () => {
  expect(() => closest()).toThrow(
    "pg_dump is not installed, but the database is PostgreSQL 16. Install Debian's package",
  );
  expect(() => closest(14, 15)).toThrow(
    /pg_dump is of PostgreSQL 15,.*\napt-get install postgresql-client-16\n/,
  );
});

test.each([
  ['v1.1.1\n', false],
  ['1.2.0', false],
  ['(devel)', false],
  ['v0.9.0', true],
])('age %j is too old: %s', (version, old) => {
  expect(isTooOld(version)).toBe(old);
});

test.each([
  [
    'No ED25519 host key is known for b.example.com.\nHost key verification failed.\nrsync: connection unexpectedly closed (0 bytes)\nrsync error: unexplained error (code 255)',
    'Host key verification failed.',
  ],
  [
    'rsync: [sender] link_stat failed\nrsync error: some files (code 23)',
    'rsync error: some files (code 23)',
  ],
])('of a copy that failed, the cause is named, not its consequence', (says, cause) => {
  expect(lastLineOfSsh({ code: 255, says })).toBe(cause);
});

test('a password is in no argument, where every user of the machine would see it', () => {
  const url = new URL('postgresql://127.0.0.1:5432/fixpoint?sslmode=require');
  url.username = 'owner';
  url.password = 'p@ss';
  expect(connectionOf(url.href)).toEqual({
    args: ['--dbname', 'postgresql://owner@127.0.0.1:5432/fixpoint?sslmode=require'],
    env: { PGPASSWORD: 'p@ss' },
  });
  expect(connectionOf('postgresql:///fixpoint?host=%2Frun&user=owner&password=secret')).toEqual({
    args: ['--dbname', 'postgresql:///fixpoint?host=%2Frun&user=owner'],
    env: { PGPASSWORD: 'secret' },
  });
});
