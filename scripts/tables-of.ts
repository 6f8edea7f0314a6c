import pg from 'pg';

const HEAD = `// Made by scripts/gen-tables.ts from the migrations: change those, not this.
import type { ColumnType, Generated } from 'kysely';
import type { JsonColumns } from './json-columns.ts';

/** The tables of \`apps/api/migrations\`, as Kysely reads and writes them. bigint comes as number (see database.ts). */
type Instant = ColumnType<Date, Date, Date>;
type MaybeInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;
`;

const SCALARS: Record<string, string> = {
  text: 'string',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  // Read as text.
  date: 'string',
  inet: 'string',
  cidr: 'string',
  _text: 'string[]',
  _inet: 'string[]',
};

type Column = { table: string; name: string; type: string; nullable: boolean; generated: boolean };

/** Generates `ports/tables.ts` from the public schema of a database. */
export async function tablesOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(
      `select c.relname as "table", a.attname as name, t.typname as type, not a.attnotnull as nullable,
         a.atthasdef or a.attidentity <> '' as generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and c.relname <> 'migration'
       order by c.oid, a.attnum`,
    );
    const { rows: checks } = await client.query<{ table: string; definition: string }>(
      `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
    );
    const words = new Map<string, string[]>(
      checks.flatMap(({ table, definition }): [string, string[]][] => {
        const found = /^CHECK \(\((\w+) = ANY \(ARRAY\[(('[^']+'::text(, )?)+)\]\)\)\)$/.exec(definition);
        if (found) return [[`${table}.${found[1]}`, found[2]!.replaceAll('::text', '').split(', ')]];
        const single = /^CHECK \(\((\w+) = ('[^']+')::text\)\)$/.exec(definition);
        return single ? [[`${table}.${single[1]}`, [single[2]!]]] : [];
      }),
    );
    const tables = Map.groupBy(columns, ({ table }) => table);
    const body = [...tables].map(
      ([table, own]) =>
        `  ${table}: {\n${own.map(column => `    ${column.name}: ${typeOf(column, words)};\n`).join('')}  };\n`,
    );
    return `${HEAD}\nexport type Tables = {\n${body.join('')}};\n`;
  } finally {
    await client.end();
  }
}

function typeOf(column: Column, words: ReadonlyMap<string, string[]>): string {
  const place = `${column.table}.${column.name}`;
  if (column.type === 'timestamptz') return column.nullable ? 'MaybeInstant' : 'Instant';
  const type =
    words.get(place)?.join(' | ') ??
    (column.type === 'jsonb' ? `JsonColumns['${place}']` : SCALARS[column.type]);
  if (!type) throw new Error(`No type for ${place}: ${column.type}`);
  const whole = column.nullable ? `${type} | null` : type;
  return column.generated ? `Generated<${whole}>` : whole;
}
