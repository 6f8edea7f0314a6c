/** A page of a list, and how many rows the whole list has. */
export type Page = { page: number; size: number };

/** A query of rows that each say how many there are without the limit (a window function: one statement for both). */
type Counted<R> = { limit(n: number): { offset(n: number): { execute(): Promise<R[]> } } };

/** One page of a list. Only a page beyond the last asks a second time, since no row says the total there. */
export async function pageOf<R extends { all: number }>(
  query: Counted<R>,
  { page, size }: Page,
): Promise<{ rows: R[]; total: number }> {
  const at = (offset: number, limit: number) => query.limit(limit).offset(offset).execute();
  const rows = await at((page - 1) * size, size);
  const [first] = rows.length > 0 || page === 1 ? rows : await at(0, 1);
  return { rows, total: first?.all ?? 0 };
}
