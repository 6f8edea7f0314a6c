/**
 * A state machine as data: the possible next states of each state. The diagrams are drawn from the
 * same table.
 */
export type Transitions<S extends string> = Record<S, readonly S[]>;

export const canMove = <S extends string>(table: Transitions<S>, from: S, to: S): boolean =>
  table[from].includes(to);
