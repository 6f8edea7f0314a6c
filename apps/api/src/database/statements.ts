import { createHash } from 'node:crypto';

/**
 * Maximum prepared statements per connection: each takes memory in the server until the connection
 * ends.
 */
const MOST = 500;

/** Returns the name of a statement; undefined: it is not prepared. */
export type StatementNames = (sql: string) => string | undefined;

/**
 * Names of prepared statements, which every connection of a pool parses and plans once. Statements
 * beyond the limit stay unprepared. Pass lists as one parameter (`= any($1)`), otherwise each
 * length is a statement of its own.
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
