/** A page of a list, and how many rows the whole list has. */
export type Page = { page: number; size: number };

/** The same as a query says it. */
export type Part = { size: number; skip: number };

/**
 * One page of a list.
 * @param read answers rows that each say how many there are without the limit (a window function: one statement for both);
 *   only a page beyond the last asks a second time, since no row says the total there
 */
export async function pageOf<R extends { all: number }>(
  read: (part: Part) => Promise<R[]>,
  { page, size }: Page,
): Promise<{ rows: R[]; total: number }> {
  const rows = await read({ size, skip: (page - 1) * size });
  const [first] = rows.length > 0 || page === 1 ? rows : await read({ size: 1, skip: 0 });
  return { rows, total: first?.all ?? 0 };
}
