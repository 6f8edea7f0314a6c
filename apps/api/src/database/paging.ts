import { type RawBuilder, sql } from 'kysely';

/** A page of a list. */
export type Page = { page: number; size: number };

/** The same as limit and offset. */
export type Part = { size: number; skip: number };

/**
 * Reads one page of a list with the total number of rows.
 * @param read returns rows that contain the total (a window function: one statement for both); a
 *   page beyond the last needs a second query, because it has no row with the total
 */
export async function pageOf<R extends { all: number }>(
  read: (part: Part) => Promise<R[]>,
  { page, size }: Page,
): Promise<{ rows: R[]; total: number }> {
  const rows = await read({ size, skip: (page - 1) * size });
  const [first] = rows.length > 0 || page === 1 ? rows : await read({ size: 1, skip: 0 });
  return { rows, total: first?.all ?? 0 };
}

/** SQL: whether a text holds what somebody searches a list for, in any case. Nothing in it is a pattern. */
export const contains = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`position(lower(${part}) in lower(${text})) > 0`;
