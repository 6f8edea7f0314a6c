/** A state machine as data: from each state the states that may follow. The diagrams are drawn from the same table. */
export type Transitions<S extends string> = Record<S, readonly S[]>;

export const canMove = <S extends string>(table: Transitions<S>, from: S, to: S): boolean =>
  table[from].includes(to);

/** States that no path from `start` reaches: must be empty, else the table names a state nobody can see. */
export function unreachable<S extends string>(table: Transitions<S>, start: S): S[] {
  const seen = new Set<S>([start]);
  for (const state of seen) for (const next of table[state]) seen.add(next);
  return (Object.keys(table) as S[]).filter(state => !seen.has(state));
}
