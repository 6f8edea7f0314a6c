/** A rule of the books, with a query that finds violations. */
export type Invariant = {
  /** Code of its rule in docs/requirements, and a word. */
  name: string;
  /** Statement that holds while the query finds nothing. */
  sentence: string;
  /** `$1::timestamptz` is the present instant. */
  sql: string;
};

/** Query for a manual run. */
export const queryAt = ({ sql }: Invariant, now: Date): string =>
  sql.trim().replaceAll('$1::timestamptz', `timestamptz '${now.toISOString()}'`);

/** Parameters of the query. */
export const parametersOf = ({ sql }: Invariant, now: Date): Date[] => (sql.includes('$1') ? [now] : []);
