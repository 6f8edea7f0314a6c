/** Names the rows for which a scheduled task failed. */
export class RowsFailed extends AggregateError {
  readonly rows: string;

  constructor(failed: ReadonlyMap<string, unknown>) {
    // Many fail for the same reason: three errors are enough.
    const [few, rows] = [[...failed.values()].slice(0, 3), [...failed.keys()]];
    super(few, `${rows.length} rows failed`);
    this.rows = rows.slice(0, 20).join(', ');
  }
}

/**
 * Acts on each row that is due. A row that fails does not stop the others, however often it comes first. For one or
 * two statements per row: longer work is a job per row.
 * @throws RowsFailed in the end, naming all rows that failed
 */
export async function eachRow<Row>(
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  act: (row: Row) => Promise<unknown>,
): Promise<void> {
  const failed = new Map<string, unknown>();
  for (const row of rows) await act(row).catch(error => failed.set(nameOf(row), error));
  if (failed.size > 0) throw new RowsFailed(failed);
}
