// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of programs
import { expect, test } from 'vitest';
import { ownersOf, violations } from './table-write-rules.ts';

const { owners, faults } = ownersOf([
  `-- billing -----------------
create table invoice (id text);
create table number_series (series text);
-- payment: not a heading
-- payment -----------------
create unlogged table attempt (id text);`,
  '-- limits -----------------\ncreate table limit_count (key bytea);',
]);
const billing = 'apps/api/src/modules/billing/store.ts';

test('a heading of the migrations says whose the tables below it are; without one it is a fault', () => {
  expect(Object.fromEntries(owners)).toEqual({
    migration: 'migrations',
    invoice: 'billing',
    number_series: 'billing',
    attempt: 'payment',
    limit_count: 'limits',
  });
  expect(faults).toEqual([]);
  expect(ownersOf(['create table lonely (id text);']).faults).toEqual([
    'table lonely stands below no heading that says whose it is',
  ]);
});

test.each([
  "await tx.insertInto('attempt').values({}).execute();",
  "await tx\n  .updateTable('attempt as a')\n  .set({})",
  "db.deleteFrom('attempt')",
  'sql`insert into attempt (id) values (${id})`',
  'sql`with gone as (delete from attempt returning 1) select 1`',
  'sql`update attempt as a set status = 1`',
  'sql`UPDATE attempt\n  SET status = 1`',
  "function later(table: 'invoice' | 'attempt') {\n  db.updateTable(table);\n}",
  "const OURS = ['invoice', 'attempt'] as const;\nfor (const table of OURS) db.deleteFrom(table);",
])('FC8 a module that writes another one’s table is refused: %s', code => {
  expect(violations(billing, code, owners)).toEqual([
    expect.stringMatching(/^apps.*store\.ts:[123]: attempt is written by its owner only \(payment\)$/),
  ]);
});

test.each([
  'db.deleteFrom(table)',
  'db.deleteFrom(nameOf(x))',
  "db.deleteFrom(['invoice'])",
  'sql`delete from ${sql.table(x)}`',
])('FC8 a write that hides its table is refused: %s', code =>
  expect(violations(billing, code, owners)).toEqual([`${billing}:1: a write names its table`]),
);

test.each([
  "tx.insertInto('invoice').values({ id }).onConflict(on => on.doNothing())",
  'sql`insert into number_series values (1) on conflict (series) do update set last = 1`',
  "tx.selectFrom('attempt').forUpdate()",
  'sql`select 1 from attempt for update skip locked`',
  "// insert into attempt\n/* update attempt set x */ db.selectFrom('attempt')",
])('its own tables, and what only reads, are not: %s', code =>
  expect(violations(billing, code, owners)).toEqual([]),
);

test('who has no tables writes none, and the counters belong to their adapter', () => {
  const write = "db.deleteFrom('limit_count')";
  for (const path of [
    'modules/email/send-email.ts',
    'cli.ts',
    'jobs/scheduled-tasks.ts',
    'modules/account/sweep.ts',
  ])
    expect(violations(`apps/api/src/${path}`, write, owners)).toHaveLength(1);
  expect(violations('apps/api/src/adapters/postgres-limits.ts', write, owners)).toEqual([]);
  expect(violations(billing, "db.deleteFrom('unheard_of')", owners)).toEqual([
    `${billing}:1: unheard_of is written by its owner only (nobody)`,
  ]);
});
