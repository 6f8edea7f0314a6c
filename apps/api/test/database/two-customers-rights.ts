import { rightsOf, type Verb } from '@fixpoint/dev-stack/rights.ts';
import type { Role } from '@fixpoint/postgres/roles.ts';
import { createDatabase } from '@fixpoint/testkit/database.ts';
import { connected } from './run-and-undo.ts';
import { columnsOf, fill } from './two-customers.ts';

/** A database with rows of two customers in every table, a superuser's connection to it, and what each role may do there. */
export async function openTwoCustomers() {
  const database = await createDatabase();
  const admin = await connected(database.url);
  const tables = await columnsOf(admin);
  await fill(admin, tables);
  const all = (await rightsOf(database.url)).filter(({ schema }) => schema === 'public');
  const rightsOn = (table: string) => all.find(one => one.table === table)!;
  const rightOf = (table: string, role: Role, verb: Verb) =>
    rightsOn(table).rights.find(right => right.role === role && right.verb === verb);
  return {
    database,
    admin,
    tables,
    rightsOn,
    rightOf,
    /** Columns that a role may use in a statement; undefined when it may not run it. */
    columnsFor(table: string, role: Role, verb: Verb): string[] | undefined {
      const columns = rightOf(table, role, verb)?.columns;
      return columns === 'all' ? tables.get(table)!.map(({ name }) => name) : columns;
    },
  };
}
