import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Client } from 'pg';
import { migrateAsBefore } from './older-database.ts';

/** Folder with a filled database of each released version. */
export const RELEASES = new URL('../releases/', import.meta.url);

const COLUMNS = `select c.relname as table, quote_ident(a.attname) as column,
    format_type(a.atttypid, a.atttypmod) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
  order by c.relname, a.attnum`;
const SEQUENCES = `select sequencename as name, last_value as value from pg_sequences
  where schemaname = 'public' and last_value is not null order by sequencename`;

/**
 * Writes the rows of a database as SQL. The schema comes from the migrations that the rows of `migration` name; released
 * migrations never change.
 * @param url with the superuser's rights, because row-level security hides rows from others
 */
export async function dumpRelease(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'");
    const parts = ['set session_replication_role = replica;'];
    const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(COLUMNS);
    for (const [table, its] of Map.groupBy(columns, ({ table }) => table)) {
      const values: (string | null)[] = [];
      for (const { column } of its) {
        const text = `select array_agg(${column}::text order by t)::text as all from "${table}" t`;
        values.push((await client.query<{ all: string | null }>(text)).rows[0]!.all);
      }
      if (values[0] === null) continue;
      // One array per column compresses to half the size, because neighbouring values are alike.
      parts.push(`delete from "${table}";
insert into "${table}" (${its.map(({ column }) => column).join(', ')}) overriding system value
select ${its.map(({ column, type }) => `${column}::${type}`).join(', ')} from unnest(
${values.map(all => `'${all!.replaceAll("'", "''")}'::text[]`).join(',\n')}
) as t(${its.map(({ column }) => column).join(', ')});`);
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(SEQUENCES);
    for (const { name, value } of sequences) parts.push(`select setval('"${name}"', ${value});`);
    return `${parts.join('\n')}\nset session_replication_role = origin;\n`;
  } finally {
    await client.end();
  }
}

/**
 * Turns a database into one of a released version: its migrations and the rows of its dump.
 * @param urls of a database whose content is dropped first
 */
export async function loadRelease(
  version: string,
  urls: { superuser: string; owner: string },
): Promise<void> {
  const dump = await promisify(gunzip)(await readFile(new URL(`${version}.sql.gz`, RELEASES)));
  const sql = dump.toString('utf8');
  const applied = new Set(sql.match(/\b\d{4}_\w+\.sql\b/g));
  const client = new Client({ connectionString: urls.superuser });
  await client.connect();
  try {
    await migrateAsBefore(client, urls.owner, name => applied.has(name));
    await client.query(sql);
  } finally {
    await client.end();
  }
}
