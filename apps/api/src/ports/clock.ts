/** The only source of the present time. Tests move it by hand. */
export type Clock = { now(): Date };
