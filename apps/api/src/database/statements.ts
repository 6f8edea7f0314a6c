import { createHash } from 'node:crypto';

/** A connection keeps at most so many: each takes memory in the server until the connection ends. */
const MOST = 500;

/** Finds the name of a statement; undefined: it goes unprepared. */
export type StatementNames = (sql: string) => string | undefined;

/**
 * The names under which statements are prepared on every connection of a pool that makes them, so that they are parsed and
 * planned once. A statement that comes when there are enough has none. Lists are one parameter (`= any($1)`), or each
 * length would be a statement of its own. Each pool counts its own: what one makes keeps no other from preparing.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  return sql => {
    const known = names.get(sql);
    if (known || names.size >= MOST) return known;
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 16);
    names.set(sql, name);
    return name;
  };
}
