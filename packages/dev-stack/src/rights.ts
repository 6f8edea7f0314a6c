import { type Role, roles } from '@fixpoint/postgres/roles.ts';
import pg from 'pg';

const HEAD = `<!-- Made by scripts/gen-tables.ts from the migrations; do not edit. -->
# Who may do what in the database

\`fixpoint_owner\` owns all objects and runs the migrations. This table lists everything else that is allowed; a list of
columns limits a right to them. A customer's own rows are those of the customer in \`app.customer\`; rows without an owner
are not among them. A member's are those of them that the user in \`app.user\` has a part in.
\`apps/api/test/database/rls.server.test.ts\` and \`rls-member.server.test.ts\` try every statement on every table as each
role.
`;

const VERBS = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] as const;
/** Roles with a column of their own. */
const LISTED = ['app', 'customer', 'member'] as const satisfies Role[];
export type Verb = (typeof VERBS)[number];

/** A statement that a role may run on a table, with all columns or with these. */
export type Right = { role: Role; verb: Verb; columns: 'all' | string[] };
export type TableRights = {
  schema: string;
  table: string;
  /** Whether row-level security limits the rows. */
  confined: boolean;
  rights: Right[];
};

/** Reads the rights of the roles other than the owner from the database. */
export async function rightsOf(url: string): Promise<TableRights[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{
      schema: string;
      table: string;
      confined: boolean;
      user: string;
      verb: Verb;
      whole: boolean;
      columns: string[];
    }>(
      `select n.nspname as schema, c.relname as "table", c.relrowsecurity as confined, u.name as user, v.verb,
         has_schema_privilege(u.name, n.oid, 'usage') and has_table_privilege(u.name, c.oid, v.verb) as whole,
         case when v.verb in ('select', 'insert', 'update', 'references') and has_schema_privilege(u.name, n.oid, 'usage')
           then array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped
             and has_column_privilege(u.name, c.oid, attnum, v.verb) order by attnum)
           else '{}' end as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace,
         unnest($1::text[]) as u(name), unnest($2::text[]) with ordinality as v(verb, place)
       where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
         and n.nspname !~ '^pg_|^information_schema$'
       order by n.nspname desc, c.relname, u.name, v.place`,
      [LISTED.map(role => roles[role]), VERBS],
    );
    const tables = Map.groupBy(rows, ({ schema, table }) => `${schema}.${table}`);
    return [...tables.values()].map(own => ({
      schema: own[0]!.schema,
      table: own[0]!.table,
      confined: own[0]!.confined,
      rights: own
        .filter(({ whole, columns }) => whole || columns.length > 0)
        .map(({ user, verb, whole, columns }) => ({
          role: LISTED.find(role => roles[role] === user)!,
          verb,
          columns: whole ? 'all' : columns,
        })),
    }));
  } finally {
    await client.end();
  }
}

/** The rights as a Markdown page. The tables of pg-boss are shown as one. */
export function rightsPage(tables: TableRights[]): string {
  const lines = tables
    .filter(({ schema }) => schema === 'public')
    .map(table => `| ${table.table} | ${cells(table)} |`);
  const queue = tables.filter(({ schema }) => schema !== 'public');
  const kinds = new Set(queue.map(table => cells(table)));
  const shown = [...kinds].map(kind => `| pgboss.* | ${kind} |`);
  return `${HEAD}
| table | ${LISTED.map(role => roles[role]).join(' | ')} |
|---|---|---|---|
${[...lines, ...shown].join('\n')}
`;
}

const cells = (table: TableRights): string => LISTED.map(role => cell(table, role)).join(' | ');

function cell({ rights, confined }: TableRights, role: Role): string {
  const own = rights.filter(right => right.role === role);
  if (own.length === 0) return '–';
  const words = own.map(({ verb, columns }) =>
    columns === 'all' ? verb : `${verb} (${columns.join(', ')})`,
  );
  return `${role !== 'app' ? `${confined ? 'own rows' : 'all rows'}: ` : ''}${words.join(', ')}`;
}
