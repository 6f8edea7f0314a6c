/** Rows that a scheduled task could not do, by what they are called. */
export class RowsFailed extends AggregateError {
  readonly rows: string;

  constructor(failed: ReadonlyMap<string, unknown>) {
    // Of many that fail for one reason a few say it.
    const [few, rows] = [[...failed.values()].slice(0, 3), [...failed.keys()]];
    super(few, `${rows.length} rows failed`);
    this.rows = rows.slice(0, 20).join(', ');
  }
}

/**
 * Does a little for each row that is due. One that fails keeps no other from its turn, however often it comes first (FC6).
 * For what is done by a statement or two: what takes longer is a job for each row.
 * @throws RowsFailed in the end, of all that failed
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
