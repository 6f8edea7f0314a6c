// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of programs
import { expect, test } from 'vitest';
import { violations } from './source-rules.ts';

const api = 'apps/api/src/modules/billing/view.ts';

test.each([
  'await pool.query(`select * from customer where email = ${email}`)',
  'await client.query(\n  `select 1\n   from customer where id = ${id}`,\n)',
  "await client.query('select * from ' + table)",
  'sql`order by ${sql.raw(column)}`',
  'sql`limit ${sql.lit(limit)}`',
  'sql`select * from ${sql.table(name)}`',
  'sql`order by ${sql.ref(given.order)}`',
])('S59 SQL with a value in its text is refused: %s', line => {
  expect(violations(api, `const x = 1;\n${line}`)).toEqual([
    expect.stringMatching(/^apps\/api\/src\/modules\/billing\/view\.ts:2: SQL binds/),
  ]);
  expect(violations('apps/api/src/adapters/postgres-bus.ts', line)).not.toEqual([]);
});

test.each([
  "await client.query('select 1 where name = $1', [name])",
  'await client.query(`listen ${CHANNEL}`)',
  'sql`select ${name}::text`',
  "sql`select * from ${sql.ref('customer.id')}`",
  "db.selectFrom('customer').where('email', '=', email)",
])('S59 SQL with bound values is accepted: %s', line => {
  expect(violations(api, line)).toEqual([]);
});

test('MO6 an SQL condition with "or" is refused without parentheses, which Kysely does not add', () => {
  const where = (condition: string) => violations(api, `query\n  .where(\n    sql<boolean>\`${condition}\`)`);
  expect(where('a > ${b} or coalesce(c, d) <> (select f(${e}))')).toEqual([
    `${api}:2: put parentheses around an SQL condition with "or"`,
  ]);
  expect(where('exists (select from x where a or b)\n or c')).toHaveLength(1);
  expect(where('(a > ${b} or coalesce(c, d) <> (select f(${e})))')).toEqual([]);
  expect(where('exists (select from x where a or b)')).toEqual([]);
});

test.each(["spawn('ls', { shell: true })", 'execSync(`ls ${name}`)'])(
  'S60 a shell command line is refused: %s',
  line => expect(violations(api, line)).toHaveLength(1),
);

test.each([
  "let view: import('./view.ts').View;",
  "const app = (await load('/app.ts')) as typeof import('./app.ts');",
  "type Call = import('@fixpoint/contract/calls.ts').Call;",
])('FC15 an inline type import, which the check for cycles does not see, is refused: %s', line => {
  expect(violations(api, line)).toHaveLength(1);
  expect(violations(api, "void import('./view.ts').then(view => view.show());")).toEqual([]);
  expect(violations(api, "const { view } = await import('./view.ts');")).toEqual([]);
});

test('FC18 a retried test is refused', () => {
  const twice = (path: string) => violations(path, "test('now and then', { retry: 2 }, () => undefined);");
  for (const path of [
    'apps/api/test/payment/cards.server.test.ts',
    'vitest.config.ts',
    'e2e/journeys/buy.spec.ts',
  ])
    expect(twice(path)).toHaveLength(1);
  expect(violations('e2e/playwright.config.ts', 'export default { retries: 0 };')).toEqual([]);
});

test('FC14 a spread object literal is refused', () => {
  expect(violations(api, 'const both = { a, ...{ b, c } };')).toHaveLength(1);
  expect(violations(api, 'const both = { a, ...rest, ...(c && { c }) };')).toEqual([]);
  expect(violations('apps/web/src/a.tsx', '<Offer {...{ a, b }} />')).toEqual([]);
});

test('a barrel, a call of the system clock and a read of the environment are refused', () => {
  expect(violations(api, "export { a } from './a.ts';\n")).toHaveLength(1);
  for (const border of ['index.ts', 'refund/index.ts'])
    expect(violations(`apps/api/src/modules/payment/${border}`, "export { a } from './a.ts';\n")).toEqual([]);
  expect(violations(api, 'const now = Date.now();')).toHaveLength(1);
  expect(violations(api, 'const port = process.env.PORT;')).toHaveLength(1);
});
