/** Something that must be true of the books: a query that finds what is not so. */
export type Invariant = {
  /** Its rule in docs/requirements and a word for it. */
  name: string;
  /** What is true while the query finds nothing. */
  sentence: string;
  /** `$1::timestamptz` is the present instant. */
  sql: string;
};

/** The query as somebody can run it by hand. */
export const queryAt = ({ sql }: Invariant, now: Date): string =>
  sql.trim().replaceAll('$1::timestamptz', `timestamptz '${now.toISOString()}'`);

/** What is bound to it. */
export const parametersOf = ({ sql }: Invariant, now: Date): Date[] => (sql.includes('$1') ? [now] : []);
