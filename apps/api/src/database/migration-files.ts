import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';

/**
 * `expand` adds what other versions do not notice. `contract` removes or tightens what they may
 * still use.
 */
type Kind = 'expand' | 'contract';
export type Migration = {
  name: string;
  kind: Kind;
  /** A `contract` file that this version works without: it is applied once no node of another version runs. */
  later: boolean;
  /** Name of the backfill that must be done before. */
  after: string | undefined;
  sql: string;
  sha256: string;
};
export type Applied = Pick<Migration, 'name' | 'kind' | 'sha256'>;

export type Difference = {
  /** Files of this version that were not applied, in order. */
  missing: Migration[];
  /** Names of applied files that this version does not have, by kind. */
  unknown: Record<Kind, string[]>;
  /** Names of files that were applied with other content. */
  changed: string[];
};

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const DECLARATION = /^-- (?:(expand)|contract(?: (later)| after (\w+))?)\n/;

/**
 * Reads the files of a folder in order. One without a declaration (0001 to 0003) counts as
 * `contract`, the stricter kind.
 */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const [, expand, later, after] = DECLARATION.exec(sql) ?? [];
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { name, kind: expand ? 'expand' : 'contract', later: later !== undefined, after, sql, sha256 };
    }),
  );
}

/** Compares the files with those that were applied to a database. Changes nothing. */
export const compareMigrations = async (client: Client, files: readonly Migration[]): Promise<Difference> =>
  differenceOf(await appliedTo(client), files);

/** How the applied files differ from those of this version. */
export function differenceOf(applied: readonly Applied[], files: readonly Migration[]): Difference {
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

/** Migrations that a database has. One from before 0.2.0 has no column `kind`; its files count as `contract`. */
export async function appliedTo(client: Client): Promise<Applied[]> {
  const { rows: found } = await client.query("select to_regclass('migration') as name");
  if (!found[0].name) return [];
  const { rows } = await client.query<Applied>(
    `select name, sha256, coalesce(to_jsonb(migration) ->> 'kind', 'contract') as kind from migration order by name`,
  );
  return rows;
}
