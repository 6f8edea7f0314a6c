import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';

/** `expand` adds what other versions do not notice. `contract` removes or tightens what they may still use. */
type Kind = 'expand' | 'contract';
export type Migration = {
  name: string;
  kind: Kind;
  /** The backfill that must have moved every row before. */
  after: string | undefined;
  sql: string;
  sha256: string;
};
type Applied = Pick<Migration, 'name' | 'kind' | 'sha256'>;

export type Difference = {
  /** Files of this version that the database does not have, in order. */
  missing: Migration[];
  /** Names of files that the database has and this version does not, by their kind. */
  unknown: Record<Kind, string[]>;
  /** Names of files that were applied with another content. */
  changed: string[];
};

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const DECLARATION = /^-- (?:(expand)|contract(?: after (\w+))?)\n/;

/** The files of a folder in their order. One without a declaration counts as `contract`, the stricter kind (0001 to 0003). */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const [, expand, after] = DECLARATION.exec(sql) ?? [];
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { name, kind: expand ? 'expand' : 'contract', after, sql, sha256 };
    }),
  );
}

/** Compares the files with what the database says of itself. Changes nothing. */
export async function compareMigrations(client: Client, files: readonly Migration[]): Promise<Difference> {
  const applied = await appliedTo(client);
  const known = new Map(files.map(file => [file.name, file.sha256]));
  const unknown = applied.filter(({ name }) => !known.has(name));
  const namesOf = (kind: Kind) => unknown.filter(file => file.kind === kind).map(({ name }) => name);
  const names = new Set(applied.map(({ name }) => name));
  return {
    missing: files.filter(({ name }) => !names.has(name)),
    unknown: { expand: namesOf('expand'), contract: namesOf('contract') },
    changed: applied
      .filter(({ name, sha256 }) => (known.get(name) ?? sha256) !== sha256)
      .map(({ name }) => name),
  };
}

/** A database of before 0.2.0 has no column `kind`; what it has is of the files that declare none. */
async function appliedTo(client: Client): Promise<Applied[]> {
  const { rows: found } = await client.query("select to_regclass('migration') as name");
  if (!found[0].name) return [];
  const { rows } = await client.query<Applied>(
    `select name, sha256, coalesce(to_jsonb(migration) ->> 'kind', 'contract') as kind from migration order by name`,
  );
  return rows;
}
