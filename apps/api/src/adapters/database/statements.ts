import { createHash } from 'node:crypto';

/** A connection keeps at most so many: each takes memory in the server until the connection ends. */
const MOST = 500;

const names = new Map<string, string>();

/**
 * The name under which a statement is prepared on every connection that makes it, so that it is parsed and planned once.
 * Undefined for one that comes when there are enough: it goes unprepared. Lists are one parameter (`= any($1)`), or each
 * length would be a statement of its own.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known || names.size >= MOST) return known;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 16);
  names.set(sql, name);
  return name;
}
