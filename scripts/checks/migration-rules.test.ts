import { expect, test } from 'vitest';
import { migrationFaults } from './migration-rules.ts';

const faults = (text: string) => migrationFaults('0099_x.sql', text);

test('a migration declares its kind in its first line, unless it is older than that rule', () => {
  expect(faults('create table a ();')).toEqual([
    '0099_x.sql: its first line is neither "-- expand" nor "-- contract"',
  ]);
  expect(faults('\n-- expand\ncreate table a ();')).toHaveLength(1);
  expect(faults('-- expand after moved\n')).toHaveLength(1);
  expect(faults('-- contract after moved\nalter table a drop column b;')).toEqual([]);
  expect(migrationFaults('0001_shop.sql', 'create table a ();')).toEqual([]);
});

test.each([
  'drop table a',
  'alter table a\n  drop column b',
  'drop view a',
  'alter table a drop constraint b',
  'alter table a rename to b',
  'alter table a rename column b to c',
  'alter table a alter column b set not null',
  'alter table a alter b type bigint',
  'ALTER TABLE a ALTER COLUMN b SET DATA TYPE bigint',
  'alter table a add column b text not null',
  'alter table a add column b int not null default 1, add column c text not null',
  'alter table a add constraint b check (c > 0)',
  'alter table a add foreign key (b) references c',
  'create unique index on a (b)',
  'revoke select on a from fixpoint_app',
  'do $$ begin drop table a; end $$',
  'create table a (id text); alter table b drop column c',
])('an expand file that would break older versions is refused: %s', sql => {
  expect(faults(`-- expand\n${sql};\n`)).toEqual([expect.stringMatching(/^0099_x\.sql expands, but /)]);
  expect(faults(`-- contract\n${sql};\n`)).toEqual([]);
});

test.each([
  'create table a (id text not null unique, b text, foreign key (b) references c)',
  'create table a (id text); create unique index on a (id); alter table a add constraint b check (c > 0)',
  'create index a_b on a (b)',
  'alter table a add column b text',
  'alter table a add column b text references c',
  "alter table a add column b inet[] not null default '{}'",
  'alter table a alter column b drop not null',
  'grant update (b) on a to fixpoint_app',
  'insert into a values (1) on conflict (id) do update set b = 1',
  '-- drop table a\ncreate table a ()',
  'create trigger t before truncate on a for each statement execute function f()',
  'create function f() returns trigger language plpgsql as $$ begin delete from b; drop table c; end $$',
])('an expand file that only adds is accepted: %s', sql =>
  expect(faults(`-- expand\n${sql};\n`)).toEqual([]),
);

test.each(['update a set b = 1', 'update a as x set b = 1', 'delete from a', 'truncate a'])(
  'no file moves rows: %s',
  sql => {
    for (const kind of ['expand', 'contract'])
      expect(faults(`-- ${kind}\n${sql};\n`)).toEqual(['0099_x.sql changes rows: that is a backfill']);
  },
);
