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

test('a heading in the migrations names the owner of the tables below it, and is required', () => {
  expect(Object.fromEntries(owners)).toEqual({
    migration: 'migrations',
    'pgboss.job': 'jobs',
    invoice: 'billing',
    number_series: 'billing',
    attempt: 'payment',
    limit_count: 'limits',
  });
  expect(faults).toEqual([]);
  expect(ownersOf(['create table lonely (id text);']).faults).toEqual([
    'table lonely is below no heading that names its owner',
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
])('FC8 a write to another module’s table is refused: %s', code => {
  expect(violations(billing, code, owners)).toEqual([
    expect.stringMatching(/^apps.*store\.ts:[123]: only its owner writes attempt \(payment\)$/),
  ]);
});

test.each([
  'db.deleteFrom(table)',
  'db.deleteFrom(nameOf(x))',
  "db.deleteFrom(['invoice'])",
  'sql`delete from ${sql.table(x)}`',
])('FC8 a write without a literal table name is refused: %s', code =>
  expect(violations(billing, code, owners)).toEqual([`${billing}:1: name the table of a write literally`]),
);

test.each([
  "tx.insertInto('invoice').values({ id }).onConflict(on => on.doNothing())",
  'sql`insert into number_series values (1) on conflict (series) do update set last = 1`',
  "tx.selectFrom('attempt').forUpdate()",
  'sql`select 1 from attempt for update skip locked`',
  "// insert into attempt\n/* update attempt set x */ db.selectFrom('attempt')",
])('reads, and writes to own tables, are accepted: %s', code =>
  expect(violations(billing, code, owners)).toEqual([]),
);

test('code without tables writes none, and an adapter owns the counters', () => {
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
    `${billing}:1: only its owner writes unheard_of (nobody)`,
  ]);
});
